import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runProgram } from './packages.ts'

/**
 * A copy of this machine's files with packages of its own, which need not go together with what is installed, in a mount
 * and process namespace; the network is shared. Nothing of it is written to the machine. Needs root and a kernel with overlays.
 */
export async function openRoot(...packages: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-root-'))
  const [upper = '', work = '', root = ''] = ['upper', 'work', 'root'].map((name) => join(directory, name))
  for (const path of [upper, work, root]) mkdirSync(path)
  const mounts = `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${root} &&
    mount --rbind /dev ${root}/dev && mount -t proc proc ${root}/proc && echo ready && exec sleep infinity`
  const holder = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const isReady = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ])
  if (!isReady) throw new Error('needs root and overlays')
  const namespace = `--pid=/proc/${holder.pid}/ns/pid_for_children`
  const inside = ['-t', String(holder.pid), '--mount', namespace, 'chroot', root, 'sh', '-c']
  /** Runs a command of the shell. */
  const run = (command: string, input?: string) => runProgram('nsenter', [...inside, command], { input })
  process.once('exit', () => holder.kill('SIGKILL'))
  /** Ends everything that was started in it. */
  const close = async () => {
    const gone = once(holder, 'exit')
    // It leaves SIGTERM to what it runs.
    holder.kill('SIGKILL')
    await gone
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const install = `DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`
    await run('apt-get update -qq').catch(() => {})
    await run(install)
  } catch (error) {
    await close()
    throw error
  }
  return {
    run,
    write: (path: string, text: string) => run(`mkdir -p "$(dirname ${path})" && cat > ${path}`, text),
    /** Starts a server that stays in the foreground. */
    start: (command: string) =>
      void spawn('nsenter', [...inside, `exec ${command}`], { stdio: ['ignore', 'ignore', 'inherit'] }),
    version: (name: string) => run(`dpkg-query -W -f '\${Version}' ${name}`),
    close,
  }
}

export type Root = Awaited<ReturnType<typeof openRoot>>
