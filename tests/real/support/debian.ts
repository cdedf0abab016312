import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runProgram } from './packages.ts'

const cache = join(import.meta.dirname, '../../../.cache/real/debian')
const base = join(cache, 'root')
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const packages = 'systemd,systemd-sysv,dbus,ca-certificates,curl,sudo'

/** Makes a fresh Debian 12 with what the handbook wants, git and npm, once. */
export async function installDebian12() {
  if (existsSync(base)) return
  const fresh = `${base}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  await runProgram('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', fresh])
  await runProgram('chroot', [
    fresh,
    'sh',
    '-c',
    'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends git npm',
  ])
  renameSync(fresh, base)
}

/** Everything that systemd expects, in namespaces of its own but for the network. */
const boot = (directory: string) => `set -e; cd ${directory}
  if [ -d /sys/fs/cgroup/unified ]; then group=/sys/fs/cgroup/unified; else group=/sys/fs/cgroup; fi
  mkdir -p $group/front-counter-$$; echo $$ > $group/front-counter-$$/cgroup.procs
  exec unshare --mount --pid --fork --kill-child --uts --ipc --cgroup sh -e -c '
    mount -t overlay overlay -o lowerdir=${base},upperdir=upper,workdir=work root; cd root
    mount -t proc proc proc; mount -t sysfs sysfs sys; mount -t cgroup2 cgroup2 sys/fs/cgroup
    for name in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs $name; done; chmod 1777 tmp; mkdir dev/pts dev/shm
    for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts; mount -t tmpfs tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; mkdir -p mnt/old; pivot_root . mnt/old; umount -l mnt/old
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init'`

/** A machine with systemd as its first process. @param prepare gets the directory of the machine's own files */
export async function bootDebian(prepare: (files: string) => Promise<void>) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-debian-'))
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(directory, name))
  const files = join(directory, 'upper')
  mkdirSync(join(files, 'etc'))
  writeFileSync(join(files, 'etc/hostname'), 'debian\n')
  writeFileSync(join(files, 'etc/hosts'), '127.0.0.1 localhost debian\n')
  // It trusts what this machine trusts, such as a proxy's certificate.
  mkdirSync(join(files, 'etc/ssl/certs'), { recursive: true })
  await runProgram('cp', ['/etc/resolv.conf', join(files, 'etc')])
  await runProgram('cp', ['-L', certificates, join(files, 'etc/ssl/certs')])
  await prepare(files)
  const machine = spawn('sh', ['-c', boot(directory)], { stdio: ['ignore', 'ignore', 'pipe'] })
  process.once('exit', () => machine.kill('SIGKILL'))
  let output = ''
  machine.stderr.on('data', (chunk) => (output += chunk))
  const inside = () => {
    const first = spawnSync('pgrep', ['-P', String(machine.pid)], { encoding: 'utf8' }).stdout.trim()
    return [
      '--all',
      '--target',
      first,
      'env',
      '-i',
      'HOME=/root',
      `NODE_EXTRA_CA_CERTS=${certificates}`,
      'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'sh',
      '-e',
      '-c',
    ]
  }
  const run = (command: string) =>
    runProgram('nsenter', [...inside(), `exec 2>&1; ${command}`]).catch((error) => {
      throw new Error(`${command}\n${String(error.stdout ?? error).slice(-3_000)}\n${output}`)
    })
  return {
    run,
    async close() {
      const gone = once(machine, 'exit')
      machine.kill('SIGKILL')
      await gone
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
