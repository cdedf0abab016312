/**
 * `node scripts/check-structure.ts [folder …]`: checks the imports in the folders, or in `src`, against the rules of
 * .dependency-cruiser.cjs. Also checks the number of modules, because the tool passes if it can't parse any, and the names
 * of the feature folders.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serverFeatures from './server-features.json' with { type: 'json' }

const roots = process.argv.slice(2)
const cruiser = fileURLToPath(new URL('../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url))
const rules = fileURLToPath(new URL('../.dependency-cruiser.cjs', import.meta.url))
const minModules = 1_000

/** Client features that show part of a server feature: content, auth, or email preferences. */
const clientOnlyFeatures = ['content-pages', 'landing', 'issues', 'prompts', 'guides', 'tools', 'passkeys', 'security']

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

/** Server features that are missing from the ordered list, and client features without a server feature of that name. */
function misnamedFeatures(): string[] {
  const foldersOf = (side: string) =>
    existsSync(`src/${side}/features`) ? readdirSync(`src/${side}/features`) : ([] as string[])
  return [
    ...foldersOf('server')
      .filter((name) => !serverFeatures.includes(name))
      .map((name) => `src/server/features/${name} is missing from scripts/server-features.json`),
    ...foldersOf('client')
      .filter((name) => !serverFeatures.includes(name) && !clientOnlyFeatures.includes(name))
      .map((name) => `src/client/features/${name} has no server feature of the same name`),
  ]
}

const { summary } = cruise()
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`)
if (roots.length === 0 && summary.totalCruised < minModules) {
  console.error(`dependency-cruiser found only ${summary.totalCruised} modules; at least ${minModules} were expected.`)
  process.exit(1)
}
const misnamed = roots.length === 0 ? misnamedFeatures() : []
for (const problem of misnamed) console.error(problem)
if (summary.violations.length > 0 || misnamed.length > 0) process.exit(1)
console.log(`Checked the imports of ${summary.totalCruised} modules.`)
