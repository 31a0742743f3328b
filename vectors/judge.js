// Judge the answers of a tool: node judge.js ANSWERS.json [known/FAMILY.json ...]
// As judge.py: exit code 0, all is well; 1, something is unsafe or differs; 2, a file is not what it should be.
"use strict";
const fs = require("fs");
const path = require("path");

const HEAD = ["vectors", "family", "theorem", "ways", "known"];
const EACH = ["id", "release", "ask", "truth", "unsafe", "flags", "after"];
const WORDS = ["agrees", "looser", "unsafe", "differs", "cannot say"];
const WRONG = ["unsafe", "differs"];
const NEAR = 1e-6;

class Unreadable extends Error {}

// A decimal of any length, exactly: digits without zeros around them, times ten to a power.
function decimal(text, where) {
  if (typeof text !== "string") throw new Unreadable(`${where} must be a decimal as text.`);
  if (text.toLowerCase() === "inf") return { sign: 1, digits: "", top: Infinity, value: Infinity };
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!found || !(found[2] || found[3])) {
    throw new Unreadable(`${where} must be a decimal; ${text.slice(0, 40)} is there.`);
  }
  const whole = found[2] + (found[3] || "");
  const digits = whole.replace(/^0+/, "");
  const top = found[2].length + Number(found[4] || 0) - (whole.length - digits.length);
  const bare = digits.replace(/0+$/, "");
  if (!bare) return { sign: 0, digits: "", top: -Infinity, value: 0 };
  return { sign: found[1] === "-" ? -1 : 1, digits: bare, top, value: Number(text) };
}

function compare(a, b) {
  if (a.sign !== b.sign || a.sign === 0) return a.sign - b.sign;
  if (a.top !== b.top) return a.sign * (a.top > b.top ? 1 : -1);
  const size = Math.max(a.digits.length, b.digits.length);
  const [x, y] = [a.digits.padEnd(size, "0"), b.digits.padEnd(size, "0")];
  return x === y ? 0 : a.sign * (x > y ? 1 : -1);
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new Unreadable(`${path.basename(file)} cannot be read to its end: ${error.message}.`);
  }
}

function fields(found, wanted, where) {
  if (found === null || typeof found !== "object" || Array.isArray(found)) {
    throw new Unreadable(`${where} must have fields.`);
  }
  for (const name of Object.keys(found)) {
    if (!wanted.includes(name)) throw new Unreadable(`${where}: ${name} is unknown.`);
  }
  for (const name of wanted) {
    if (!(name in found)) throw new Unreadable(`${where}: ${name} is missing.`);
  }
}

function vectors(file) {
  const tree = read(file), name = path.basename(file);
  if (tree === null || tree.vectors !== 1) throw new Unreadable(`${name} has no vectors of version 1.`);
  fields(tree, HEAD, name);
  tree.known.forEach((each, place) => {
    const where = `${name}, vector ${place + 1}`;
    fields({ after: [], ...each }, EACH, where);
    if (!["below", "above"].includes(each.unsafe) || each.truth.length !== 2) {
      throw new Unreadable(`${where}: unsafe must be below or above, and truth two ends.`);
    }
    const [low, high] = each.truth.map((end) => decimal(end, where));
    if (compare(low, high) > 0) throw new Unreadable(`${where}: the truth ends below where it starts.`);
  });
  return tree.known;
}

function judged(each, given) {
  if (given === undefined || given === null) return "cannot say";
  const [low, high] = each.truth.map((end) => decimal(end, each.id));
  const answer = decimal(given, each.id);
  const above = each.unsafe === "above";
  if (above ? compare(answer, high) > 0 : compare(answer, low) < 0) return "unsafe";
  if (above ? compare(answer, low) >= 0 : compare(answer, high) <= 0) return "agrees";
  const apart = Math.abs(answer.value - (above ? low.value : high.value));
  return apart <= NEAR * high.value ? "agrees" : "looser";
}

function judge(answers, known) {
  const ids = new Set(known.map((each) => each.id));
  const strange = Object.keys(answers).filter((id) => !ids.has(id)).sort();
  if (strange.length) throw new Unreadable(`There is no vector ${strange[0]}.`);
  const said = new Map(); // the answers to one question about one release, whatever was asked before
  const question = (each) => JSON.stringify([each.release, each.ask]);
  for (const each of known) {
    const given = answers[each.id] ?? null;
    const answer = given === null ? null : JSON.stringify(decimal(given, each.id));
    said.set(question(each), (said.get(question(each)) || new Set()).add(answer));
  }
  return known.map((each) => {
    const word = judged(each, answers[each.id]);
    return word !== "unsafe" && said.get(question(each)).size > 1 ? "differs" : word;
  });
}

function told(known, verdicts) {
  const counts = {};
  known.forEach((each, place) => {
    for (const flag of ["all", ...each.flags]) {
      counts[flag] = counts[flag] || {};
      counts[flag][verdicts[place]] = (counts[flag][verdicts[place]] || 0) + 1;
    }
  });
  const flags = ["all", ...Object.keys(counts).filter((flag) => flag !== "all").sort()];
  const line = (head, cells) => [head.padEnd(22), ...cells.map((c) => String(c).padStart(10))].join("  ");
  return [
    line("", WORDS),
    ...flags.map((flag) => line(flag, WORDS.map((word) => counts[flag][word] || 0))),
    ...known.flatMap((each, place) =>
      WRONG.includes(verdicts[place]) ? [`${each.id}: ${verdicts[place]}`] : []),
  ].join("\n");
}

function main(args) {
  const here = path.join(__dirname, "known");
  try {
    if (!args.length) throw new Unreadable("Name the file of answers.");
    const answers = read(args[0]);
    fields(answers, Object.keys(answers || {}), args[0]);
    const shipped = fs.readdirSync(here).filter((f) => f.endsWith(".json")).sort();
    const files = args.length > 1 ? args.slice(1) : shipped.map((f) => path.join(here, f));
    const known = files.flatMap(vectors);
    const verdicts = judge(answers, known);
    console.log(told(known, verdicts));
    return WRONG.some((word) => verdicts.includes(word)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    console.error(error.message);
    return 2;
  }
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
module.exports = { decimal, compare, judge, judged, vectors };
