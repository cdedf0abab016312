/** `npm run setup`: sets up a production server. `npm run setup -- --help` lists the options. */
import { ensureInstalled, fail, findRuntime, runInstead } from './prepare.mjs'

const args = process.argv.slice(2)
const changesNothingOutside = ['--help', '--no-install', '--compose', '--dry-run'].some((flag) => args.includes(flag))
if (!changesNothingOutside && process.getuid?.() !== 0) {
  fail('Setup installs packages and a service, so run it as root: sudo npm run setup. Or use --no-install.')
}
// The service runs as another user, which has to read the packages and pages.
process.umask(0o022)
// Without the packages for development.
process.env.NODE_ENV = 'production'
ensureInstalled({ withDev: false })
runInstead(findRuntime(), ['scripts/setup.ts', ...args])
