// Loads plugins of opencode or extensions of pi and has them see the one event in FAKE_EVENT.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as nodeModule from "node:module"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"

const e = JSON.parse(process.env.FAKE_EVENT)
delete process.env.FAKE_EVENT

// The types of an extension mean nothing at run time. An old node is helped with the few that extensions need.
const plain = (text) => nodeModule.stripTypeScriptTypes
  ? nodeModule.stripTypeScriptTypes(text)
  : text.replace(/^import type .*$/gm, "").replace(/(\w)\??: (?:any|unknown|string|number|boolean|[A-Z]\w*)(?=[,)=;\n])/g, "$1")

const dir = mkdtempSync(join(tmpdir(), "fakeagent"))
process.on("exit", () => rmSync(dir, { recursive: true, force: true }))
const load = (file) => {
  const copy = join(dir, basename(file).replace(/\.[jt]s$/, ".mjs"))
  writeFileSync(copy, plain(readFileSync(file, "utf8")))
  return import(pathToFileURL(copy).href)
}

// The shell of opencode's plugins: $`command ${word} < ${response}`, with quiet and nothrow.
let files = 0
const $ = (words, ...values) => {
  const quoted = (v) => Array.isArray(v) ? v.map(quoted).join(" ") : "'" + String(v).replaceAll("'", "'\\''") + "'"
  const word = async (v) => {
    if (!(v instanceof Response)) return quoted(v)
    const file = join(dir, `input${files++}`)
    writeFileSync(file, await v.text())
    return quoted(file)
  }
  const run = Promise.all(values.map(word)).then((all) => {
    const text = words.reduce((before, w, i) => before + all[i - 1] + w)
    return new Promise((done) => spawn("sh", ["-c", text], { stdio: ["ignore", "ignore", "inherit"] }).on("exit", (exitCode) => done({ exitCode })))
  })
  for (const name of ["quiet", "nothrow"]) run[name] = () => run
  return run
}

for (const file of e.files) {
  const m = await load(file)
  if (e.kind === "opencode") {
    for (const plugin of Object.values(m)) {
      const hooks = await plugin({ client: {}, project: {}, directory: e.cwd, worktree: e.cwd, $ })
      if (e.chat) await hooks["chat.message"]?.({ sessionID: e.chat }, { message: {}, parts: [] })
      if (e.event) await hooks.event?.({ event: e.event })
    }
  } else {
    const on = {}
    await m.default({ on: (name, f) => (on[name] ??= []).push(f) })
    const ctx = {
      mode: "tui", hasUI: true, cwd: e.cwd, isIdle: () => e.name !== "agent_start",
      sessionManager: { getSessionId: () => e.id, getSessionFile: () => e.file },
    }
    for (const f of on[e.name] ?? []) await f({ type: e.name, reason: e.reason }, ctx)
  }
}
