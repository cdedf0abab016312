/**
 * `npm run sbom [file]`: writes the list of all packages that ship (CycloneDX) to dist/sbom.json, and fails if one has a
 * license that isn't allowed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Component, findRefusedLicenses } from './allowed-licenses.ts'

const file = process.argv[2] ?? 'dist/sbom.json'
const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) {
  console.error(stderr)
  process.exit(1)
}
const { components } = JSON.parse(stdout) as { components: Component[] }
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, stdout)
console.log(`${components.length} packages, listed in ${file}`)
const refused = findRefusedLicenses(components)
if (refused.length > 0) {
  console.error(
    `These licenses aren’t allowed (scripts/allowed-licenses.ts):\n${refused.map((line) => `  ${line}`).join('\n')}`,
  )
  process.exit(1)
}
