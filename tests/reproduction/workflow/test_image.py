"""The image copies what its environment is made of before it is made."""

import re
import shutil
import subprocess
import sys

from reproduction.files import ROOT


def test_the_image_has_all_that_its_environment_is_made_of(tmp_path):
    """The project is installed where nothing lies but what was copied by then."""
    steps, _, after = (ROOT / "Containerfile").read_text("utf-8").partition("\nRUN make .venv")
    assert after
    for words in re.findall(r"^COPY (?:--chown=\w+ )?(.+)$", steps, flags=re.MULTILINE):
        *sources, target = words.split()
        for name in sources:
            place = tmp_path / target / (name if target == "./" else "")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place)
    build = "from hatchling.build import build_editable; build_editable('.')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True)
