from setuptools import setup

test = ["attrs", "pillow<10"]

setup(
    setup_requires=["setuptools>=65"],
    extras_require={"test": test},
)
