"""Measurements of OpenDP, serialized and as objects, as releases."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from dprisk.errors import InvalidFile, Meaningless
from dprisk.guarantees import ApproxDP, ApproxDPCurve, PureDP, ZeroConcentratedDP
from dprisk.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.releases import read_from
from dprisk.releases.tools import read
from tests.releases.tools_samples import READINGS, TOOLS, put, run, together

ADD: Any = {"neighbors": "add-remove"}
ONE = {**ADD, "sensitivity": 1}


def made(name, **kwargs):
    return {
        "__function__": name,
        "__module__": "any",
        "__kwargs__": kwargs,
        "__version__": "0.16.0",
    }


def atom(kind):
    return made("atom_domain", bounds=None, nan=False, T=kind)


def noise(name, scale, kind="i32", k=None, domain=None, metric="absolute_distance"):
    return made(
        name,
        input_domain=domain or atom(kind),
        input_metric=made(metric, T=kind),
        scale=scale,
        k=k,
        MO="any",
    )


def chained(measurement, transformation):
    return made("make_chain_mt", measurement1=measurement, transformation0=transformation)


def count(metric="symmetric_distance"):
    vector = made("vector_domain", atom_domain=atom("String"), size=None)
    return made("make_count", input_domain=vector, input_metric=made(metric), TO="i32")


def counted(scale, metric="symmetric_distance"):
    domain = made("transformation_output_domain", this=count(metric))
    return chained(noise("make_laplace", scale, domain=domain), count(metric))


def test_one_count_however_often_it_stands_in_the_file(tmp_path):
    found = read(put(tmp_path, "m.json", counted(2.0)))
    assert run(found.release) == [(Geometric(2.0, 1, **ADD), 1)]
    assert found.version == "0.16.0" and found.release.unit == "record"
    assert "contributions" in [each.name for each in found.missing]
    several = read_from(counted(2.0), contributions=3)
    assert run(several) == [(Geometric(2.0, 3, **ADD), 1)] and several.unit == "person"
    (part,) = run(read_from(counted(2.0, "change_one_distance")))
    assert part == (Geometric(2.0, 1, neighbors="replace-one"), 1)


def test_text_of_serialize_is_read_from_any_ending(tmp_path):
    path = put(tmp_path, "m.txt", json.dumps(counted(2.0)))
    assert run(read_from(path)) == [(Geometric(2.0, 1, **ADD), 1)]


def test_compositions_and_wrappers():
    both = made("make_composition", measurements=[counted(2.0), counted(5.0), counted(2.0)])
    assert run(read_from(both)) == [(Geometric(2.0, 1, **ADD), 2), (Geometric(5.0, 1, **ADD), 1)]
    inner = noise("make_gaussian", 4.0)
    wrapped = made("make_zCDP_to_approxDP", measurement=inner)
    fixed = made("make_fix_delta", measurement=wrapped, delta=1e-6)
    found = read(made("make_chain_pm", postprocess1=made("make_cast"), measurement0=fixed), **ONE)
    assert run(found.release) == [(DiscreteGaussian(4.0, 1, **ADD), 1)]
    assert found.known["delta"] == 1e-6


def test_the_sensitivity_of_noise_alone_is_asked_for():
    found = read(noise("make_laplace", 2.0))
    assert [each.name for each in found.missing if each.needed] == ["neighbors", "sensitivity"]
    with pytest.raises(Meaningless, match="sensitivity=1"):
        found.described()
    total = made("make_sum", input_domain=atom("i32"), input_metric=made("symmetric_distance"))
    unknown = read(chained(noise("make_laplace", 2.0), total))
    assert [each.name for each in unknown.missing if each.needed] == ["sensitivity"]
    release = read_from(chained(noise("make_laplace", 2.0), total), sensitivity=7)
    assert run(release) == [(Geometric(2.0, 7, **ADD), 1)]


@pytest.mark.parametrize("k", [-8, -4, 0, 3])
@pytest.mark.parametrize("moved", [1, 0.3])
def test_a_grid_moves_inputs_by_one_point_more(k, moved):
    """ρ = ((d + 2^k) / scale)^2 / 2, as OpenDP charges it."""
    ((mechanism, _),) = run(
        read_from(noise("make_gaussian", 4.0, "f64", k), **ADD, sensitivity=moved)
    )
    grid = Fraction(2) ** k
    assert mechanism.sigma == 4.0 / float(grid)
    least = Fraction(moved) / grid + 1
    assert least <= mechanism.sensitivity < least + 1
    ((noisy, _),) = run(read_from(noise("make_laplace", 4.0, "f64", k), **ADD, sensitivity=moved))
    assert noisy.scale == mechanism.sigma and noisy.sensitivity == mechanism.sensitivity


def test_without_a_grid_noise_is_continuous_beside_one_rounding():
    ((normal, _),) = run(read_from(noise("make_gaussian", 4.0, "f64"), **ONE))
    assert isinstance(normal, Gaussian) and 1.0 < normal.sensitivity < 1.0 + 1e-15
    ((noisy, _),) = run(read_from(noise("make_laplace", 4.0, "f64"), **ONE))
    assert isinstance(noisy, Laplace) and 1.0 < noisy.sensitivity < 1.0 + 1e-15


def test_what_has_no_loss_of_its_own_here_is_read_as_its_promise():
    fine = noise("make_gaussian", 4.0, "f64", -40)
    ((promise, _),) = run(read_from(fine, **ONE))
    assert isinstance(promise, ZeroConcentratedDP)
    vector = made("vector_domain", atom_domain=atom("f64"), size=3)
    ((several, _),) = run(read_from(noise("make_gaussian", 4.0, "f64", 0, vector), **ONE))
    assert several == ZeroConcentratedDP(0.5, **ADD)  # (1 + 3) / 4, squared, halved
    with pytest.raises(InvalidFile, match="size of the vector"):
        unsized = made("vector_domain", atom_domain=atom("f64"), size=None)
        read(noise("make_gaussian", 4.0, "f64", 0, unsized), **ONE)


def budget(measure, mids, d_in=3):
    return made(
        "make_adaptive_composition",
        input_domain=atom("i32"),
        input_metric=made("symmetric_distance"),
        output_measure=measure,
        d_in=d_in,
        d_mids=mids,
    )


def test_what_d_mids_are_depends_on_the_measure():
    rho = read(budget(made("zero_concentrated_divergence"), [0.3, 0.1, 0.1]))
    expected = [(ZeroConcentratedDP(0.3, **ADD), 1), (ZeroConcentratedDP(0.1, **ADD), 2)]
    assert run(rho.release) == expected and rho.known["contributions"] == 3
    pure = read_from(budget(made("max_divergence"), [0.3]))
    assert run(pure) == [(PureDP(0.3, **ADD), 1)]
    approximate = made("approximate", measure=made("max_divergence"))
    both = read_from(budget(approximate, [[0.3, 1e-6]]))
    assert run(both) == [(ApproxDP(0.3, 1e-6, **ADD), 1)]
    with pytest.raises(Meaningless, match="contributions=3"):
        read(budget(made("max_divergence"), [0.3]), contributions=1)
    with pytest.raises(InvalidFile, match="does not know the measure"):
        read(budget(made("renyi_divergence"), [0.3]))


def test_randomized_response():
    found = read(made("make_randomized_response_bool", prob=0.75, constant_time=False))
    ((mechanism, _),) = run(found.release)
    assert isinstance(mechanism, RandomizedResponse) and mechanism.neighbors == "replace-one"
    assert 0.0 <= mechanism.epsilon - math.log(3.0) < 1e-14
    four = made("make_randomized_response", categories=["a", "b", "c", "d"], prob=0.5)
    ((mechanism, _),) = run(read_from(four))
    assert mechanism.categories == 4 and mechanism.epsilon == pytest.approx(math.log(3.0))
    with pytest.raises(InvalidFile, match="prob must be"):
        read(made("make_randomized_response_bool", prob=1.0))


@pytest.mark.parametrize(
    ("tree", "match"),
    [
        (noise("make_laplace", 0.0), "scale must be above 0"),
        (noise("make_laplace", "x"), "scale must be a number"),
        (noise("make_laplace_threshold", 1.0), "no mechanism for 'make_laplace_threshold'"),
        (made("make_composition", measurements=[]), "nothing in it adds noise"),
        (made("make_composition", measurements=[3]), "A measurement of OpenDP is expected"),
        (noise("make_gaussian", 1.0, "f64", 1.5), "k must be a whole number"),
        (made("atom_domain", T="i32"), "no mechanism"),
        (made("make_geometric", scale=1.0, bounds=[0, 3]), "cut at bounds"),
        (budget(made("max_divergence"), []), "no d_mids"),
        (budget(made("max_divergence"), [0.3], 0), "d_in must be from 1"),
    ],
)
def test_bad_measurements_are_named(tree, match):
    with pytest.raises(InvalidFile, match=match):
        read(tree, **ADD)


def test_nested_without_end(tmp_path):
    tree = counted(2.0)
    for _ in range(190):
        tree = made("make_chain_pm", postprocess1=None, measurement0=tree)
    with pytest.raises(InvalidFile, match=r"nested too deep|levels deep"):
        read(put(tmp_path, "deep.txt", json.dumps(tree)))
    with pytest.raises(InvalidFile, match="levels deep"):
        read(put(tmp_path, "deeper.txt", "[" * 100_000))


class Measurement:
    """As a measurement of OpenDP answers."""

    def __init__(self, metric, measure, answer):
        self.input_metric, self.output_measure, self.answer = metric, measure, answer

    def map(self, d_in):
        return self.answer(d_in)


Measurement.__module__ = "opendp.mod"


def test_a_measurement_is_asked_for_its_map():
    pure = Measurement("SymmetricDistance()", "MaxDivergence", lambda d: 0.5 * d)
    assert [each.name for each in read(pure).missing if each.needed] == ["contributions"]
    assert run(read_from(pure, contributions=2)) == [(PureDP(1.0, **ADD), 1)]
    rho = Measurement("AbsoluteDistance(f64)", "ZeroConcentratedDivergence", lambda d: d / 2)
    assert run(read_from(rho, **ONE)) == [(ZeroConcentratedDP(0.5, **ADD), 1)]
    pair = Measurement("AbsoluteDistance(i32)", "Approximate(MaxDivergence)", lambda d: (d, 1e-6))
    assert run(read_from(pair, **ONE)) == [(ApproxDP(1.0, 1e-6, **ADD), 1)]
    profile = SimpleNamespace(epsilon=lambda delta: -math.log(delta))
    curve = Measurement("SymmetricDistance()", "SmoothedMaxDivergence", lambda _: profile)
    ((promise, _),) = run(read_from(curve, contributions=1))
    assert isinstance(promise, ApproxDPCurve)
    for failing in (lambda _: math.inf, lambda d: d[0]):
        with pytest.raises(InvalidFile, match="map of this measurement"):
            read(Measurement("SymmetricDistance()", "MaxDivergence", failing), contributions=1)


@pytest.mark.skipif(not READINGS.exists(), reason="needs the files of ../shared/data/tools")
@pytest.mark.parametrize(
    "name",
    [
        *("opendp-composition.json", "opendp-context-zcdp.json", "opendp-count-laplace.json"),
        *("opendp-gaussian-coarse.json", "opendp-gaussian-fixed-delta.json"),
    ],
)
def test_files_of_opendp_are_inside_their_brackets(name):
    known = json.loads(READINGS.read_text("utf-8"))[name]
    path = TOOLS / "more" / name
    needed = {each.name for each in read(path).missing if each.needed}
    release = read_from(path, **{key: ONE[key] for key in needed})
    for delta, (low, high) in known["certified"].items():
        found = together(release).epsilon(float(delta))
        assert found.value >= (low or 0.0) and found.value == pytest.approx(high, abs=1e-9)
