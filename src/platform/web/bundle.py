"""Usage: bundle.py FOLDER. Writes FOLDER/report.part: the page of FOLDER as elements that `lanescope export` puts into a
report. The first line has the hash of the only script, for the report's policy; all else is packed by gzip, in base64."""
import base64
import gzip
import hashlib
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
script = (folder / "page.js").read_text()
assert "</script" not in script and "<!--" not in script
work = "\n".join((folder / name).read_text() for name in ("draw.js", "lanescope.js", "work.js"))
parts = {"lanescope-work": work.encode(), "lanescope-program": (folder / "lanescope.wasm").read_bytes(),
         "lanescope-pack": (folder / "lanescope.tar").read_bytes()}
lines = ["sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()]
for name, data in parts.items():
    packed = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
    lines.append(f'<script type="application/octet-stream" id="{name}">{packed}</script>')
lines.append(f"<script>{script}</script>")
(folder / "report.part").write_text("\n".join(lines) + "\n")
