"""The application and its commands."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import typer

from dprisk.cli.allocation import allocation
from dprisk.cli.assess import assess
from dprisk.cli.audit import audit
from dprisk.cli.budget import budget
from dprisk.cli.compose import compose
from dprisk.cli.convert import convert
from dprisk.cli.counterfactual import counterfactual
from dprisk.cli.deployments import deployments
from dprisk.cli.explain import explain
from dprisk.cli.ladder import ladder
from dprisk.cli.plan import plan
from dprisk.cli.power import power
from dprisk.cli.report import report
from dprisk.cli.reproduce import reproduce
from dprisk.cli.schema import schema
from dprisk.cli.witness import witness
from dprisk.errors import InvalidInput, Meaningless
from dprisk.releases.words import dp_sgd
from dprisk.text import fill

__all__ = ["app", "run"]

app = typer.Typer(
    name="dprisk",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=fill("cli.help", codes=fill("cli.codes")),
    epilog="Example: dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5",
)


def _version(asked: bool) -> None:
    if asked:
        from dprisk import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help=fill("help.commands.version")
        ),
    ] = False,
) -> None:
    pass


for command, example in (
    (allocation, "dprisk allocation census2020 --concern race --gaussian"),
    (assess, "dprisk assess --epsilon 1 --delta 1e-6 --neighbors add-remove --prior 0.5"),
    (audit, "dprisk audit examples/mechanisms/answers.csv --claim 'epsilon=log(3)' --exact"),
    (
        budget,
        "dprisk budget examples/profiles/clinic.yaml --confidence 0.99 --releases 12 --delta 1e-8",
    ),
    (compose, "dprisk compose examples/broadband.yaml --delta 1e-6 --epsilon 0.1 --releases 12"),
    (convert, "dprisk convert --rho 2.63 --neighbors replace-one --to approximate --delta 1e-10"),
    (
        counterfactual,
        "dprisk counterfactual examples/census.yaml --adversary true-record --confidence 0.95",
    ),
    (deployments, "dprisk deployments broadband"),
    (
        explain,
        "dprisk explain examples/broadband.yaml --audience data-subject "
        '--claim "somebody concludes that you use the service" --prior 0.1',
    ),
    (
        ladder,
        "dprisk ladder --rho 0.01 --neighbors add-remove --releases 365 --confidence 0.99 "
        "--limit posterior=0.99",
    ),
    (
        plan,
        "dprisk plan --epsilon 0.05 --neighbors add-remove --limit posterior=0.8 --prior 0.5 "
        "--confidence 0.95",
    ),
    (power, "dprisk power --rho 2.63 --neighbors replace-one --level 0.05 --prior 0.1"),
    (report, "dprisk report examples/broadband.yaml -o report.html --limit posterior=0.6"),
    (reproduce, "dprisk reproduce P3 -o out"),
    (schema, "dprisk schema release"),
    (witness, "dprisk witness --epsilon 1 --delta 1e-6 --not-pdp 1.1,1e-5"),
):
    app.command(epilog=f"Example: {example}")(command)


def run(arguments: list[str]) -> None:
    """Run a command; an option that takes one value is given once."""
    from typer.main import get_command

    group: Any = get_command(app)
    command = group.commands.get(arguments[0]) if arguments else None
    if command is not None:
        options = [each for each in command.params if each.param_type_name == "option"]
        once = [each for each in options if not (each.multiple or each.is_flag)]
        for name in (name for each in once for name in each.opts if name.startswith("--")):
            given = [text for text in arguments if text.split("=")[0] == name]
            if len(given) > 1:
                raise InvalidInput(name, len(given), "given once", "Leave out all but one.")
        _refuse_dp_sgd(arguments[1:], {name for each in command.params for name in each.opts})
    group()


def _refuse_dp_sgd(arguments: list[str], known: set[str]) -> None:
    """Options by which other tools describe DP-SGD: what to write instead."""
    named: dict[str, str] = {}
    for text, after in pairwise([*arguments, ""]):
        name, _, value = text.partition("=")
        if name.startswith("--") and name not in known:
            named[name.removeprefix("--").replace("-", "_")] = value or after
    if found := dp_sgd(named):
        problem, fix = found
        raise Meaningless(f"{problem} {fix} Then give that file to the command.")
