import { runJourneys } from './support/journeys.ts'
import { debianVersion, installDebian } from './support/packages.ts'
import type { RealPart } from './support/part.ts'

export default {
  name: 'firefox',
  async install() {
    installDebian('firefox-esr')
  },
  async run(checks) {
    checks.note(`firefox-esr ${debianVersion('firefox-esr')}`)
    await runJourneys('firefox', checks)
  },
} satisfies RealPart
