#!/usr/bin/env python3
"""packaging/conda/recipe.yaml by rattler-build (`pip install py-rattler-build`) on this system's own packages in place of
conda-forge's: read and rendered as it is, then its script run, the package made, and its tests run in it.

    conda_recipe.py FOLDER

Compilers and libraries are those of ./bootstrap install, the Python that draws is that of GWRM_PYTHON,
or the one that runs this. CMAKE_ARGS is handed on.
"""
import os
import pathlib
import shutil
import sys

import rattler_build as conda

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIANTS = {"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    path = ROOT / "packaging/conda/recipe.yaml"
    recipe = conda.Stage0Recipe.from_file(path)
    whole, = recipe.render(conda.VariantConfig(VARIANTS))
    print("rendered:", whole.recipe.package.name, whole.recipe.package.version)

    bare = recipe.to_dict()
    del bare["requirements"]
    bare["source"][0]["path"] = str(ROOT)
    bare["about"] = {}
    here, = conda.Stage0Recipe.from_dict(bare).render(conda.VariantConfig({}))
    channel = folder / "channel"
    for part in ("noarch", "linux-64"):
        (channel / part).mkdir(parents=True, exist_ok=True)
        (channel / part / "repodata.json").write_text('{"packages": {}}', encoding="utf-8")
    os.environ.setdefault("GWRM_PYTHON", sys.executable)
    result = here.run_build(conda.ToolConfiguration(test_strategy="native"), output_dir=folder / "output",
                            channels=[channel.as_uri()], env_isolation=conda.EnvironmentIsolation.NONE)
    print("built and tested:", *result.packages)


if __name__ == "__main__":
    main()
