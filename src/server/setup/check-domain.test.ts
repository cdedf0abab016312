import { expect, test } from 'vitest'
import { checkDomain } from './check-domain.ts'

const none = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }))
const broken = async () => Promise.reject(Object.assign(new Error('broken'), { code: 'ESERVFAIL' }))
const machine = (v4: () => Promise<string[]>, v6: () => Promise<string[]>, addresses: string[]) => ({
  dns: { resolve4: v4, resolve6: v6, resolveTxt: none },
  addresses: () => addresses,
})
const here = ['127.0.0.1', '10.0.0.4', 'fe80::1', '203.0.113.5', '2001:db8::5']

test.each([
  ['this server', async () => ['203.0.113.5'], none, 'ok'],
  ['this server, on both', async () => ['203.0.113.5'], async () => ['2001:db8::5'], 'ok'],
  ['another server', async () => ['198.51.100.7'], none, 'todo'],
  ['another server on IPv6 only', async () => ['203.0.113.5'], async () => ['2001:db8::9'], 'todo'],
  ['no server', none, none, 'todo'],
  ['a lookup that fails', broken, none, 'todo'],
])('a domain that leads to %s is %s', async (_case, v4, v6, status) => {
  expect(await checkDomain(machine(v4, v6, here), 'news.example.com', [])).toMatchObject({ status })
})

test('behind a router, the given address counts', async () => {
  const behind = machine(async () => ['203.0.113.5'], none, ['10.0.0.4', '172.20.0.3', '100.64.1.1', 'fd00::1'])
  const unknown = await checkDomain(behind, 'news.example.com', [])
  expect(unknown.message).toContain('compare it with --address')
  expect(await checkDomain(behind, 'news.example.com', ['203.0.113.5'])).toMatchObject({ status: 'ok' })
})
