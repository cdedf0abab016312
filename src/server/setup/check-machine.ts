import { type Finding, failed, formatBytes, ok, type SetupSystem } from './setup-system.ts'

const minFreeBytes = 1_000_000_000
/** Codes of authenticator apps change every 30 seconds. */
const maxClockErrorMs = 15_000

type Machine = Pick<
  SetupSystem,
  'sourceDirectory' | 'fileRoot' | 'freeBytes' | 'clock' | 'timeUrl' | 'isPortFree' | 'run'
>

export function checkDisk({ freeBytes, fileRoot }: Machine, directory: string): Finding {
  const free = freeBytes(fileRoot + directory)
  return free < minFreeBytes
    ? failed('Disk', `Only ${formatBytes(free)} are free at ${directory}. Free at least 1 GB.`)
    : ok('Disk', `${formatBytes(free)} free.`)
}

/** The service can't see home directories, and its user can't enter root's. */
export const checkLocation = ({ sourceDirectory }: Machine): Finding =>
  /^\/(home|root|run\/user)\//.test(`${sourceDirectory}/`)
    ? failed('Folder', `The service can’t read ${sourceDirectory}. Move the folder to /opt/front-counter.`)
    : ok('Folder', `${sourceDirectory}.`)

export async function checkClock({ clock, timeUrl }: Machine): Promise<Finding> {
  const before = clock().getTime()
  const answer = await fetch(timeUrl, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(() => null)
  const date = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(date)) return failed('Clock', `${new URL(timeUrl).host} can’t be reached to compare the clock with.`)
  // The header has whole seconds.
  const errorMs = (before + clock().getTime()) / 2 - (date + 500)
  const seconds = Math.round(Math.abs(errorMs) / 1000)
  return Math.abs(errorMs) > maxClockErrorMs
    ? failed(
        'Clock',
        `The clock is ${seconds} seconds ${errorMs > 0 ? 'ahead' : 'behind'}. Run timedatectl set-ntp true and try again.`,
      )
    : ok('Clock', `${seconds} s off.`)
}

/** The ports of the server and the proxy are free, or used by an earlier setup. */
export async function checkPorts(
  { isPortFree, run }: Machine,
  wanted: { server: number | null; proxy: boolean },
): Promise<Finding[]> {
  const isActive = async (unit: string) => (await run('systemctl', ['is-active', '--quiet', unit])).code === 0
  const findings: Finding[] = []
  if (wanted.server !== null && !(await isPortFree(wanted.server)) && !(await isActive('front-counter'))) {
    findings.push(
      failed('Port', `Port ${wanted.server} is in use. Stop the program that uses it, or choose another with --port.`),
    )
  }
  if (wanted.proxy && !(await isActive('caddy'))) {
    for (const port of [80, 443]) {
      if (await isPortFree(port)) continue
      findings.push(
        failed(
          'Port',
          `Port ${port} is in use. Stop the program that uses it, or use it as the proxy with --no-proxy.`,
        ),
      )
    }
  }
  return findings
}
