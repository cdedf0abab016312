/**
 * Asks the registry about known security holes in the packages that production installs, and fails if one is high or
 * critical. A registry that doesn't answer, or answers no such question, is reported and passes: the check must not keep
 * anyone from working offline.
 */
import { spawnSync } from 'node:child_process'
import { z } from 'zod'

const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
})

const options = ['--omit=dev', '--json', '--fetch-timeout=15000', '--fetch-retries=0']
const { stdout } = spawnSync('npm', ['audit', ...options], { encoding: 'utf8', timeout: 60_000 })

function readReport() {
  try {
    return reportSchema.parse(JSON.parse(stdout)).vulnerabilities
  } catch {
    return null
  }
}

const found = readReport()
if (!found) {
  console.log('The registry didn’t answer the audit, so known security holes weren’t checked.')
} else {
  const serious = Object.entries(found).filter(([, { severity }]) => severity === 'high' || severity === 'critical')
  for (const [name, { severity, range, via }] of serious) {
    const advisories = via.filter((each) => typeof each !== 'string').map(({ title, url }) => `${title} (${url})`)
    console.error(`${severity}: ${name} ${range} ${advisories.join(', ')}`.trim())
  }
  console.log(`${Object.keys(found).length} packages with known security holes, ${serious.length} of them serious.`)
  if (serious.length > 0) process.exitCode = 1
}
