"""The version is the same everywhere, and setting it reaches every place.

usage: test_version.py COBLOC
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FILES = ["CMakeLists.txt", "CITATION.cff", "CHANGELOG.md", "bindings/r/DESCRIPTION", "debian/changelog", "include/cobloc/base.h", "scripts/version"]


def version(root, *words):
    return subprocess.run([os.path.join(root, "scripts", "version"), *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


version(ROOT, "--check")
said = subprocess.run([sys.argv[1], "version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
assert version(ROOT) in said, f"the program says {said}, CMakeLists.txt {version(ROOT)}"
with tempfile.TemporaryDirectory() as copy:
    for name in FILES:
        os.makedirs(os.path.dirname(os.path.join(copy, name)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), os.path.join(copy, name))
    assert version(copy, "7.8.9", "2030-02-03") == "7.8.9"
    version(copy, "--check")
    with open(os.path.join(copy, "CHANGELOG.md"), encoding="utf-8") as f:
        assert "## 7.8.9 (2030-02-03)" in f.read() or "## Unreleased" not in open(os.path.join(ROOT, "CHANGELOG.md"), encoding="utf-8").read()
    with open(os.path.join(copy, "CMakeLists.txt"), encoding="utf-8") as f:
        changed = f.read()
    with open(os.path.join(copy, "CMakeLists.txt"), "w", encoding="utf-8") as f:
        f.write(changed.replace("7.8.9", "7.8.8"))
    wrong = subprocess.run([os.path.join(copy, "scripts", "version"), "--check"], stderr=subprocess.PIPE, text=True)
    assert wrong.returncode == 1 and wrong.stderr.count("says 7.8.9") == 4, wrong.stderr
print(f"everything is of version {version(ROOT)}")
