"""Links of README and docs lead somewhere; `make site` says so of the site that is built."""

import pytest
from tests.unit.doc_pages import PAGES, anchors_of, links_of, name_of


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(page):
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), link
        assert not anchor or anchor in anchors_of(there), link
