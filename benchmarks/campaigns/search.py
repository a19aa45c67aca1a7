"""How soon the search for the worst case finds a weakness."""

from benchmarks.campaigns.command import DISPERSIONS, say


def search(rounds: int, cases: int) -> None:
    """Cases until one fails, of a mission in which about 1 % of random ones do."""
    import proxops
    from proxops.campaigns import Design, Job, fly

    name = "touches_gently"
    chosen = proxops.load("touch").replace({"dispersions": DISPERSIONS})
    limits = chosen.mission.requirements[name].model_dump(mode="json", exclude_none=True)
    mission = chosen.replace({"dispersions.spin": None, "requirements": {name: limits}})
    sample = proxops.campaign(mission, range(cases), at_least=0.0).cases
    values = sorted(item["value"] for case in sample for item in case["requirements"])
    limit = values[-1 - cases // 100]
    share = sum(value > limit for value in values) / cases
    say(f"limit {limit:.3f} N: {100 * share:.2f} % of {cases} random cases fail")
    job = Job(mission.replace({f"requirements.{name}.limit": limit}))
    for batch in (1, 2):
        taken = []
        for i in range(rounds):
            failed: list[bool] = []
            found = fly(
                job,
                range(1000 * i, 1000 * i + 100),
                design=Design("worst-case", batch=batch),
                workers=batch,
                report=lambda done, passed, asked, failed=failed: failed.append(done > passed),
                stop=lambda failed=failed: any(failed),
            )
            passes = [case["passed"] for case in found.cases]
            taken.append(1 + (passes.index(False) if False in passes else len(passes)))
        say(f"batch {batch}: {sum(taken) / rounds:.1f} cases on average, at most {max(taken)}")
