/**
 * `npm run bench -- image`: runs the steps of deploy/Containerfile in a bare directory, without a container engine: the
 * build's commands, the image's start command on a PostgreSQL as a user who can't write to the image, its health check and
 * a backup. Needs root for that user.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readEnvironmentFile } from '#server/setup/environment-file.ts'
import { runSetup } from '#server/setup/run-setup.ts'
import { startSetupMachine } from '#tests/support/setup-machine.ts'
import { makeBareCopy } from './support/bare-copy.ts'

const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
const directory = makeBareCopy(
  (path) => !ignored.some((each) => matchesGlob(path, each) || path.startsWith(`${each}/`)),
)
const steps = readFileSync('deploy/Containerfile', 'utf8').replaceAll('\\\n', ' ')
const [build = '', image = ''] = steps.split(/^FROM .*$/m).slice(1)
const instruction = (name: string) => JSON.parse(new RegExp(`^${name} .*?(\\[.*\\])$`, 'm').exec(image)?.[1] ?? '[]')
const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(1)

const machine = await startSetupMachine()
const file = join(machine.system.fileRoot, 'compose.env')
try {
  for (const [, command = ''] of build.matchAll(/^RUN (.*)$/gm)) {
    const startedAt = Date.now()
    execFileSync('sh', ['-c', command], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
    console.log(`${seconds(startedAt).padStart(6)} s  ${command}`)
  }
  const size = execFileSync('du', ['-sm', directory], { encoding: 'utf8' }).split('\t')[0]
  console.log(`         image without its base: ${size} MB`)

  const { domain, from, smtp, stripe, owner } = machine.answers
  machine.state.answers = [domain, from, smtp, stripe, owner]
  await runSetup(machine.system, ['--compose', '--file', file, '--port', String(machine.port)], {})
  const volumes = { data: mkdtempSync('/tmp/front-counter-data-'), backups: mkdtempSync('/tmp/front-counter-backups-') }
  const user = { uid: 65_534, gid: 65_534 }
  for (const volume of Object.values(volumes)) chownSync(volume, user.uid, user.gid)
  const env = {
    ...readEnvironmentFile(file),
    PATH: process.env.PATH,
    DATABASE_URL: machine.postgres.url,
    DATA_DIR: volumes.data,
    BACKUP_DESTINATION: volumes.backups,
  }
  chmodSync(directory, 0o755)
  const [program, ...args] = instruction('CMD')
  const startedAt = Date.now()
  const server = spawn(program, args, { ...user, cwd: directory, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const check = () => {
    const [command, ...rest] = instruction('HEALTHCHECK')
    const asked = rest.map((text: string) => text.replace('3000', String(machine.port)))
    return spawnSync(command, asked, { env }).status === 0
  }
  while (!check()) {
    if (server.exitCode !== null || Date.now() - startedAt > 120_000)
      throw new Error('the server did not become healthy')
    await setTimeout(250)
  }
  console.log(`${seconds(startedAt).padStart(6)} s  from start to healthy`)
  const backup = spawnSync(program, ['--disable-warning=ExperimentalWarning', 'scripts/operator.ts', 'backup'], {
    ...user,
    cwd: directory,
    env,
    encoding: 'utf8',
  })
  console.log(backup.stdout.trim() || backup.stderr)
  server.kill('SIGTERM')
  await once(server, 'exit')
  for (const volume of Object.values(volumes)) rmSync(volume, { recursive: true, force: true })
} finally {
  await machine.close()
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
