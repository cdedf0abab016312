/**
 * `node scripts/check-structure.ts [folder …]`: holds the imports below the folders, `src` without any, against the
 * rules of .dependency-cruiser.cjs. The tool is content when it could read nothing at all, so the number of modules is
 * checked too; a test plants violations, which must be found.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const roots = process.argv.slice(2)
const cruiser = fileURLToPath(new URL('../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url))
const rules = fileURLToPath(new URL('../.dependency-cruiser.cjs', import.meta.url))
const fewestModules = 100

type Report = {
  summary: {
    totalCruised: number
    violations: { rule: { name: string; severity: string }; from: string; to: string }[]
  }
}

function cruise(): Report {
  const args = [cruiser, '--config', rules, '--output-type', 'json', ...(roots.length ? roots : ['src', 'packages'])]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  if (!run.stdout) throw new Error(run.stderr || 'The import check said nothing.')
  return JSON.parse(run.stdout) as Report
}

const { summary } = cruise()
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`)
if (roots.length === 0 && summary.totalCruised < fewestModules) {
  console.error(`Only ${summary.totalCruised} modules were read; the check saw next to nothing.`)
  process.exit(1)
}
if (summary.violations.length > 0) process.exit(1)
console.log(`Import directions hold in ${summary.totalCruised} modules.`)
