import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRedirects, writeRedirects } from './redirects.ts'

describe('Redirects', () => {
  test('are read from lines, and from the texts of Ghost’s two files', () => {
    const lines = parseRedirects('/Old/ /drops\n\n# a comment\n/then https://a.example/b?c=d 302')
    const yaml = parseRedirects('301:\n/old: /drops\n302:\n  "/then": "https://a.example/b?c=d"')
    const json = parseRedirects(
      '[{"from": "^\\\\/old\\\\/?$", "to": "/drops", "permanent": true}, {"from": "/then/", "to": "https://a.example/b?c=d", "permanent": false}]',
    )
    expect(lines).toEqual({
      redirects: [
        { from: '/old', to: '/drops', permanent: true },
        { from: '/then', to: 'https://a.example/b?c=d', permanent: false },
      ],
      problems: [],
    })
    expect(yaml).toEqual(lines)
    expect(json).toEqual(lines)
  })

  test.each([
    ['/a', '“/a” isn’t an old and a new address'],
    ['a /b', '“a” isn’t an address such as /old-page'],
    ['/a //evil.example', '“//evil.example” isn’t a path such as /drops or an https address'],
    ['/a /\\evil.example', '“/\\evil.example” isn’t a path such as /drops or an https address'],
    ['/a javascript:alert(1)', '“javascript:alert(1)” isn’t a path such as /drops or an https address'],
    ['/tag/(.*) /drops', '“/tag/(.*)” is a pattern. Write one line for each address'],
    ['/a /b\n/A/ /c', '“/a” is there twice'],
    ['/a /a', '“/a” leads back to itself'],
    ['/a /b?x=1\n/b /A/', '“/a” leads back to itself'],
    ['[{"from": "/a"}]', 'An entry has no “from” or “to”'],
    ['[not json', 'The list isn’t valid JSON'],
  ])('that can’t work are named: %s', (text, problem) => {
    expect(parseRedirects(text).problems).toContain(problem)
  })

  test('are written as they are read, and none without a problem is in a loop', () => {
    const path = fc.constantFrom('/a', '/b', '/c', '/d', '/e')
    const redirect = fc.record({ from: path, to: path, permanent: fc.boolean() })
    fc.assert(
      fc.property(fc.uniqueArray(redirect, { selector: ({ from }) => from, maxLength: 5 }), (redirects) => {
        const text = writeRedirects(redirects)
        const parsed = parseRedirects(text)
        expect(parsed.redirects).toEqual(redirects)
        const targets = new Map<string, string>(redirects.map(({ from, to }) => [from, to]))
        const ends = redirects.every(({ from }) => {
          let at: string | undefined = from
          for (let step = 0; step < 6 && at !== undefined; step += 1) at = targets.get(at)
          return at === undefined
        })
        expect(parsed.problems.length === 0).toBe(ends)
      }),
    )
  })

  test('a long chain is read at once, and only the addresses of a loop are named', () => {
    const length = 20_000
    const chain = Array.from({ length }, (_, index) => `/${index} /${index + 1}`).join('\n')
    expect(parseRedirects(chain).problems).toEqual([])
    expect(parseRedirects(`${chain}\n/${length} /${length - 1}`).problems).toEqual([
      `“/${length - 1}” leads back to itself`,
      `“/${length}” leads back to itself`,
    ])
  })
})
