import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isClientRoute } from './client-routes.ts'

test('every page of the client is known, including the targets of emailed links', () => {
  const routes = readFileSync('src/client/app/routes.tsx', 'utf8')
  const paths = [...routes.matchAll(/(?:path: |page\(|shown\('\w+', )'(\/[^']*)'/g)].map(([, path = '']) => path)
  expect(paths).toEqual(expect.arrayContaining(['/auth/link', '/portal', '/unsubscribe']))
  expect(paths.filter((path) => path !== '/' && !isClientRoute(path))).toEqual([])
})

test('other paths are not client routes', () => {
  for (const path of ['/auth/v2', '/auth/nothing', '/portals', '/wp-login.php']) expect(isClientRoute(path)).toBe(false)
})
