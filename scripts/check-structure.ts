/**
 * `node scripts/check-structure.ts [folder …]`: checks the imports in the folders, or in `src`, against the rules of
 * .dependency-cruiser.cjs. Also checks the number of modules, because the tool passes if it can't parse any, that
 * scripts/features.json lists every feature folder, and that only the newest snapshot of the schema is kept.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import areas from './features.json' with { type: 'json' }

const roots = process.argv.slice(2)
const cruiser = fileURLToPath(new URL('../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url))
const rules = fileURLToPath(new URL('../.dependency-cruiser.cjs', import.meta.url))
const minModules = 1_000

type Report = {
  summary: {
    totalCruised: number
    violations: { rule: { name: string; severity: string }; from: string; to: string }[]
  }
}

function cruise(): Report {
  const args = [cruiser, '--config', rules, '--output-type', 'json', ...(roots.length ? roots : ['src', 'packages'])]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  if (!run.stdout) throw new Error(run.stderr || 'dependency-cruiser printed no report.')
  return JSON.parse(run.stdout) as Report
}

/** Folders of features that scripts/features.json doesn't list under their area, and listed features without a folder. */
function misplacedFeatures(): string[] {
  const listed = Object.entries(areas).flatMap(([area, names]) => names.map((name) => `${area}/${name}`))
  const foldersIn = (path: string) => (existsSync(path) ? readdirSync(path) : [])
  const found = ['server', 'client'].flatMap((side) => {
    const root = `src/${side}/features`
    return foldersIn(root).flatMap((area) => foldersIn(`${root}/${area}`).map((name) => `${area}/${name}`))
  })
  return [
    ...found.filter((name) => !listed.includes(name)).map((name) => `${name} is missing from scripts/features.json`),
    ...listed
      .filter((name) => !found.includes(name))
      .map((name) => `scripts/features.json lists ${name}, which has no folder`),
  ]
}

/** A new migration is computed from the newest snapshot; the others are 19,000 lines each. */
const formerSnapshots = () =>
  readdirSync('drizzle/meta')
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .slice(0, -1)
    .map((name) => `Delete drizzle/meta/${name}: only the newest snapshot is kept.`)

const { summary } = cruise()
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`)
if (roots.length === 0 && summary.totalCruised < minModules) {
  console.error(`dependency-cruiser found only ${summary.totalCruised} modules; at least ${minModules} were expected.`)
  process.exit(1)
}
const misplaced = roots.length === 0 ? [...misplacedFeatures(), ...formerSnapshots()] : []
for (const problem of misplaced) console.error(problem)
if (summary.violations.length > 0 || misplaced.length > 0) process.exit(1)
console.log(`Checked the imports of ${summary.totalCruised} modules.`)
