"""Meshes of a URDF file are looked for near it, and nowhere else."""

from pathlib import Path

import pytest

from proxops.scenario.urdf_meshes import place_meshes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """share/robots/arm/urdf, with meshes beside it."""
    urdf = tmp_path / "share" / "robots" / "arm" / "urdf"
    urdf.mkdir(parents=True)
    meshes = tmp_path / "share" / "robots" / "arm" / "meshes"
    meshes.mkdir()
    (meshes / "base.stl").write_text("solid")
    (meshes / "a&b.stl").write_text("solid")
    return urdf


def placed(name: str, folder: Path, quote: str = '"') -> str:
    start, end = f"<robot><mesh scale='1 1 1' filename={quote}", f"{quote}/></robot>"
    text = place_meshes(start + name + end, folder)
    assert text.startswith(start)
    assert text.endswith(end)
    return text[len(start) : -len(end)]


@pytest.mark.parametrize(
    "name",
    [
        "package://robots/arm/meshes/base.stl",
        "package:///robots/arm/meshes/base.stl",
        "package://arm/meshes/base.stl",
        "package://a_name_that_no_folder_has/meshes/base.stl",
        "model://arm/meshes/base.stl",
        "../meshes/base.stl",
        "meshes/base.stl",
    ],
)
@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_mesh_near_the_file_is_found(name: str, quote: str, folder: Path) -> None:
    assert placed(name, folder, quote) == str(folder.parent / "meshes" / "base.stl")


def test_a_mesh_anywhere_on_this_machine_is_found_by_its_path(folder: Path) -> None:
    path = folder.parent / "meshes" / "base.stl"
    assert placed(path.as_uri(), folder) == str(path)
    assert placed(str(path), folder) == str(path)


@pytest.mark.parametrize(
    "name",
    [
        "package://arm/meshes/gone.stl",
        "package://arm",
        "package://",
        "https://robots.example/meshes/base.stl",
        "meshes",
        "",
        "base\0.stl",
        "x" * 10_000,
    ],
)
def test_a_name_that_leads_to_no_file_stays(name: str, folder: Path) -> None:
    assert placed(name, folder) == name


def test_names_are_written_as_xml_has_them(folder: Path) -> None:
    found = placed("package://arm/meshes/a&amp;b.stl", folder)
    assert found == str(folder.parent / "meshes" / "a&amp;b.stl")


def test_a_hostile_text_costs_no_more_than_its_length(folder: Path) -> None:
    """Quadratic, this would take hours."""
    for text in ("<mesh" * 500_000, "<mesh filename='" * 200_000, "<mesh " + "filename " * 300_000):
        assert place_meshes(text, folder) == text
