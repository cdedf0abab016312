import { runJourneys } from './support/journeys.ts'
import { debianVersion, installDebian } from './support/packages.ts'
import type { RealPart } from './support/part.ts'

/** Safari's engine. */
export default {
  name: 'webkit',
  async install() {
    installDebian('webkit2gtk-driver', 'xvfb')
  },
  async run(checks) {
    checks.note(`webkit2gtk-driver ${debianVersion('webkit2gtk-driver')}`)
    await runJourneys('webkit', checks)
  },
} satisfies RealPart
