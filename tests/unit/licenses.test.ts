import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findRefusedLicenses } from '../../scripts/allowed-licenses.ts'

type Locked = { version?: string; license?: string; dev?: boolean; link?: boolean }

test('every package that ships has a license that allows it', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  const components = shipped.map(([path, { version = '', license }]) => ({
    ...{ name: path.replace(/^.*node_modules\//, ''), version },
    licenses: license ? [{ expression: license }] : [],
  }))
  expect(components.length).toBeGreaterThan(150)
  expect(findRefusedLicenses(components)).toEqual([])
})

test('a license that isn’t allowed, or none, is refused', () => {
  const of = (expression?: string) =>
    findRefusedLicenses([{ name: 'a', version: '1.0.0', licenses: expression ? [{ expression }] : [] }])
  expect(of('MIT')).toEqual([])
  expect(of('(MIT OR GPL-3.0)')).toEqual([])
  expect(of('MIT AND GPL-3.0')).toEqual(['a@1.0.0: MIT AND GPL-3.0'])
  expect(of('AGPL-3.0')).toEqual(['a@1.0.0: AGPL-3.0'])
  expect(of()).toEqual(['a@1.0.0: no license'])
})
