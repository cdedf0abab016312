import { expect, test } from 'vitest'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import {
  buildContent,
  buildSection,
  emailConfig,
  listSender,
  publicUrl,
  readableLinks,
  sampleDrop,
} from '#tests/support/newsletter-email.ts'
import { type CheckDeps, checkMailing } from './check-mailing.ts'
import { formatPlace, type Problem } from './mailing-problem.ts'

const deps: CheckDeps = {
  config: emailConfig,
  from: listSender,
  links: readableLinks,
  fetchLink: async () => ({ status: 200, location: null }),
  pageExists: async (path) => path.startsWith('/portal') && !path.endsWith('/a-dorp'),
  sender: null,
}

/** "error placeholder at Section 1, text, line 3" */
const describeProblem = ({ severity, check, place }: Problem) =>
  `${severity} ${check}${place ? ` at ${formatPlace(place)}` : ''}`
const check = async (content: Partial<MailingContent>, more: Partial<CheckDeps> = {}) =>
  (await checkMailing({ ...deps, ...more }, buildContent(content))).map(describeProblem)
const inBody = (body: string, more?: Partial<CheckDeps>) => check({ sections: [buildSection({ body })] }, more)

test.each(['ten-minutes-in-your-close', 'a-week-of-reviews', 'follow-up-open-estimates'])(
  'the drop %s may be sent, including the placeholders in its prompts',
  async (slug) => {
    expect((await checkMailing(deps, sampleDrop(slug))).filter(({ severity }) => severity === 'error')).toEqual([])
  },
)

test.each([
  ['TODO: ask Ana', 'placeholder'],
  ['Costs XXX dollars', 'placeholder'],
  ['Lorem ipsum dolor', 'placeholder'],
  ['See https://www.example.com/page', 'placeholder'],
  ['Dear [your name],', 'placeholder'],
  ['Your code is {{coupon}}', 'merge-field'],
  ['Hello {{first_name', 'merge-field'],
  ['See [this](https://shop.test/?for={{email|}})', 'merge-field'],
  ['See [this]()', 'link'],
  ['See [this](#)', 'link'],
  ['See [](https://shop.test)', 'link'],
  ['See [this](http://shop.test)', 'link'],
  ['See [this](javascript:alert)', 'link'],
  ['See [last week](https://frontcounter.example/portal/weekly-drops/a-dorp)', 'link'],
  ['See [last week](/portal/weekly-drops/a-dorp)', 'link'],
  [`![](/media/${'a'.repeat(64)}.png)`, 'picture'],
  ['![A till](https://shop.test/till.png)', 'picture'],
])('%j in a text is an error with its line number', async (line, kind) => {
  const place = `error ${kind} at Section 2, text, line 3`
  expect(await check({ sections: [buildSection(), buildSection({ body: `Before.\n\n${line}\n\nAfter.` })] })).toContain(
    place,
  )
})

test('An email without a text is an error, since its drop may have been unpublished', async () => {
  expect(await check({ intro: ' ', sections: [] })).toContain('error no-text')
  expect(await check({ intro: 'News.', sections: [] })).not.toContain('error no-text')
})

test.each([
  '> Write to [your customer] about [XX dollars] by [date].',
  'The todo list of the closing crew, and what is tbd there.',
  '`[x](http://y)` is how Markdown writes a link.',
  'Hello {{first_name|there}}, [read this](https://shop.test/a_(b)).',
  '1. [Ours](https://frontcounter.example/portal) and [mail](mailto:a@shop.test)',
  '[Last week](https://frontcounter.example/portal/weekly-drops/a-drop?from=mail#section-2)',
  `![The till](/media/${'a'.repeat(64)}.png#300x200)`,
])('%j in a text is not a problem', async (line) => {
  expect(await inBody(line)).toEqual([])
})

test('a merge field that may be empty for some readers is a warning if it has no fallback', async () => {
  expect(await check({ title: 'Hello {{first_name}}' })).toEqual(['warning merge-field at Title'])
})

test('a repeated merge field is reported once per text, at its first occurrence', async () => {
  const body = 'First {{first_name}}, {{first_name}} and {{coupon}}.\n\nThen {{first_name}}, {{coupon}} and {{name}}.'
  expect(await check({ title: '{{first_name}}', sections: [buildSection({ body }), buildSection({ body })] })).toEqual([
    'error merge-field at Section 1, text, line 1',
    'error merge-field at Section 2, text, line 1',
    'warning merge-field at Title',
    'warning merge-field at Section 1, text, line 1',
    'warning merge-field at Section 1, text, line 3',
    'warning merge-field at Section 2, text, line 1',
    'warning merge-field at Section 2, text, line 3',
  ])
})

test('problems follow the order of the email, errors before warnings, those about the whole email last', async () => {
  const body = '[x](https://shop.test/gone)\n\nTODO, {{coupon}}'
  const fetchLink: CheckDeps['fetchLink'] = async () => ({ status: 404, location: null })
  const sections = [buildSection({ heading: 'TODO', body }), buildSection({ summary: 'TODO' })]
  const big = buildSection({ body: 'word '.repeat(20_000) })
  const content = { subject: 'TODO', preheader: '', sections: [...sections, big], closing: 'TODO' }
  expect(await check(content, { fetchLink })).toEqual([
    'error placeholder at Subject',
    'error placeholder at Section 1, heading',
    'error link at Section 1, text, line 1',
    'error placeholder at Section 1, text, line 3',
    'error merge-field at Section 1, text, line 3',
    'error placeholder at Section 2, summary',
    'error placeholder at Closing, line 1',
    'error size',
    'warning preheader at Preview text',
  ])
})

test('an empty subject is an error; a long one and a missing preheader are warnings', async () => {
  expect(await check({ subject: '  ', preheader: '' })).toEqual([
    'error subject at Subject',
    'warning preheader at Preview text',
  ])
  expect(await check({ subject: 'Ü'.repeat(61) })).toEqual(['warning subject at Subject'])
  expect(await check({ subject: 'Ü'.repeat(60) })).toEqual([])
})

test('an email above 102 kB is reported before Gmail clips it, not counting its encoding', async () => {
  expect(await inBody('word '.repeat(20_000))).toEqual(['error size'])
  expect(await inBody('é'.repeat(45_000))).toEqual([])
})

test('each broken link is reported with its line, and requested once however often it occurs', async () => {
  const asked: string[] = []
  const answers: Record<string, number> = { '/gone': 404, '/closed': 403, '/down': 503, '/head-only-fails': 200 }
  const fetchLink: CheckDeps['fetchLink'] = async (url, method) => {
    asked.push(`${method} ${url.pathname}`)
    if (url.pathname === '/nowhere') return { refused: 'can’t be reached' }
    if (url.pathname === '/silent') return { unsure: 'did not answer in time' }
    if (url.pathname === '/moved') return { status: 301, location: '/gone' }
    if (url.pathname === '/circle') return { status: 302, location: '/circle' }
    return {
      status: method === 'HEAD' && url.pathname !== '/fine' ? 405 : (answers[url.pathname] ?? 200),
      location: null,
    }
  }
  const link = (path: string) => `[x](https://shop.test${path})`
  const body = [
    `${link('/fine')} and\n${link('/gone')}`,
    `- ${link('/moved')}\n- ${link('/gone')}`,
    `> ${link('/closed')} ${link('/down')} ${link('/silent')}`,
    link('/circle'),
    `${link('/nowhere')} ${link('/head-only-fails')}`,
  ].join('\n\n')
  expect(await inBody(body, { fetchLink })).toEqual([
    'error link at Section 1, text, line 2',
    'error link at Section 1, text, line 4',
    'error link at Section 1, text, line 5',
    'error link at Section 1, text, line 9',
    'error link at Section 1, text, line 11',
    'warning link at Section 1, text, line 7',
    'warning link at Section 1, text, line 7',
    'warning link at Section 1, text, line 7',
  ])
  expect(asked.filter((each) => each === 'HEAD /fine')).toHaveLength(1)
  expect(asked).not.toContain('GET /fine')
})

const linksTo = (...addresses: string[]) => addresses.map((address) => `[x](${address})`).join('\n\n')
const messages = async (body: string, more: Partial<CheckDeps>) =>
  (await checkMailing({ ...deps, ...more }, buildContent({ sections: [buildSection({ body })] }))).map(
    ({ severity, message }) => `${severity} ${message}`,
  )

test('an unreachable host is requested once, by HEAD only, however many links point to it', async () => {
  const asked: string[] = []
  const fetchLink: CheckDeps['fetchLink'] = async (url, method) => {
    asked.push(`${method} ${url.href}`)
    if (url.host === 'gone.test') return { refused: 'uses a domain that doesn’t exist', wholeHost: true }
    return url.pathname === '/drops-heads' && method === 'HEAD'
      ? { refused: 'can’t be reached' }
      : { status: 200, location: null }
  }
  const body = linksTo('https://gone.test/a', 'https://gone.test/b', 'https://shop.test/drops-heads')
  expect(await messages(body, { fetchLink })).toEqual([
    'error https://gone.test/a uses a domain that doesn’t exist',
    'error https://gone.test/b uses a domain that doesn’t exist',
  ])
  expect(asked.toSorted()).toEqual([
    'GET https://shop.test/drops-heads',
    'HEAD https://gone.test/a',
    'HEAD https://shop.test/drops-heads',
  ])
})

test('an address is requested once, whatever the fragment and the redirects that lead to it', async () => {
  const asked: string[] = []
  const fetchLink: CheckDeps['fetchLink'] = async (url, method) => {
    asked.push(`${method} ${url.pathname}`)
    return url.pathname === '/moved' ? { status: 301, location: '/page#3' } : { status: 200, location: null }
  }
  const body = linksTo('https://shop.test/page#1', 'https://shop.test/page#2', 'https://shop.test/moved')
  expect(await messages(body, { fetchLink })).toEqual([])
  expect(asked).toEqual(['HEAD /page', 'HEAD /moved'])
})

test('a link without a response by the deadline is reported as unchecked, and no further links are requested', async () => {
  const deadline = new AbortController()
  const asked: string[] = []
  const fetchLink: CheckDeps['fetchLink'] = (url, _method, signal) => {
    asked.push(url.host)
    if (url.host === 'quick.test') return Promise.resolve({ status: 404, location: null })
    return new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve({ unsure: 'did not answer in time' }))
      // Unresponsive hosts occupy all slots at once.
      if (asked.filter((host) => host.startsWith('silent')).length === 6) deadline.abort()
    })
  }
  const silent = Array.from({ length: 6 }, (_, n) => `https://silent-${n}.test/`)
  const body = linksTo('https://quick.test/', ...silent, 'https://late.test/', `${publicUrl}/nowhere`)
  expect(await messages(body, { fetchLink, startDeadline: () => deadline.signal })).toEqual([
    'error https://quick.test/ wasn’t found',
    `error ${publicUrl}/nowhere wasn’t found`,
    ...[...silent, 'https://late.test/'].map(
      (url) => `warning ${url} wasn’t checked because other links took too long. Check it yourself`,
    ),
  ])
  expect(asked).not.toContain('late.test')
})

test('a digest is checked by its contents: summaries, not full texts', async () => {
  expect(await check({ kind: 'digest', sections: [buildSection({ body: 'TODO', summary: 'TODO' })] })).toEqual([
    'error placeholder at Section 1, summary',
  ])
})
