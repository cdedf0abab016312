import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { readAudience } from './audience.ts'
import { buildDraft, readersOf } from './build-draft.ts'
import { convertPost } from './convert-post.ts'
import { readGhost } from './read-ghost.ts'
import { readMarkdownPost } from './read-markdown.ts'
import type { SourcePost } from './source-post.ts'

async function openAndClosed(post: SourcePost | undefined) {
  if (!post) throw new Error('no post')
  const { parts, notes } = await convertPost(post)
  const { draft } = buildDraft(publicationDefaults, post, parts, 'UTC')
  const texts = (isOpen: boolean) => draft.sections.filter((section) => section.openToEveryone === isOpen)
  return {
    open: [
      draft.title,
      draft.preview,
      draft.intro,
      ...texts(true).flatMap(({ heading, body }) => [heading, body]),
    ].join('\n'),
    // Headings of closed sections are public.
    headings: texts(false).map(({ heading }) => heading),
    closed: texts(false)
      .map(({ body }) => body)
      .join('\n'),
    readers: readersOf(draft),
    notes,
  }
}

const ghost = (html: string, visibility: unknown = 'public', more: object = {}) =>
  openAndClosed(
    readGhost(
      JSON.stringify({ data: { posts: [{ id: 1, title: 'T', status: 'published', visibility, html }], ...more } }),
    )[0],
  )
const markdown = (body: string, frontMatter = 'visibility: paid') =>
  openAndClosed(readMarkdownPost('a.md', `---\ntitle: T\n${frontMatter}\n---\n${body}`))

const begin = '<!--kg-gated-block:begin nonMember:false memberSegment:"status:-free" -->'
const end = '<!--kg-gated-block:end-->'

describe('Posts for some readers', () => {
  test.each(['paid', 'members', 'tiers', 'label:vip', ' PAID ', 'something', '', null, 7])(
    'of Ghost with visibility “%s” are closed as a whole, headings and description included',
    async (visibility) => {
      const post = await ghost('<p>Secret one.</p><h2>Secret two</h2><p>Secret three.</p>', visibility)
      expect(post).toMatchObject({ headings: [''], readers: 'members' })
      expect(post.open).not.toContain('Secret')
      expect(post.closed).toBe('Secret one.\n\n## Secret two\n\nSecret three.')
    },
  )

  test.each([
    '<!--members-only-->',
    '<!-- members-only -->',
    '<!--\nMembers-Only\n-->',
    '<!--kg-card-begin: paywall--><!--members-only--><!--kg-card-end: paywall-->',
    '<div class="paywall-jump" data-component-name="PaywallToDOM"></div>',
    "<div data-component-name='PaywallToDOM' class='x'></div>",
    '<p data-x class="y paywall-jump z"><span>Keep reading</span></p>',
    '<!-- wp:jetpack/paywall -->',
  ])('are open above the divider %s, and closed below', async (divider) => {
    const html = `<p>Open one.</p><h2>Open two</h2><p>Open three.</p>${divider}<p>Secret one.</p><h2>Secret two</h2><p>Secret three.</p>`
    for (const wrapped of [html, `<div class="body"><section>${html}</section></div>`]) {
      const post = await ghost(wrapped, 'paid')
      expect(post.open).toMatch(/Open one\.[\s\S]*Open two[\s\S]*Open three\./)
      expect(post.open).not.toContain('Secret')
      expect(post).toMatchObject({
        closed: 'Secret one.\n\n## Secret two\n\nSecret three.',
        headings: [''],
        readers: 'part',
      })
    }
  })

  test.each(['tiers', 'label:vip', 'something', '', null])(
    'of one tier or an unknown kind stay closed above the divider (%s)',
    async (visibility) => {
      const post = await ghost('<p>Secret one.</p><!--members-only--><p>Secret two.</p>', visibility)
      expect(post).toMatchObject({ readers: 'members', closed: 'Secret one.\n\nSecret two.' })
      expect(post.open).not.toContain('Secret')
    },
  )

  test('are cut where the divider is, in a list, a quotation, a table or a paragraph', async () => {
    for (const html of [
      '<ul><li>Open one</li><li>Open two<!--members-only--> Secret one</li><li>Secret two</li></ul><p>Secret three.</p>',
      '<blockquote><p>Open one</p><!--members-only--><p>Secret</p></blockquote><p>Secret</p>',
      '<table><tr><td>Open one</td><td><!--members-only-->Secret</td></tr><tr><td>Secret</td></tr></table>',
      '<p>Open one <b>bold <!--members-only-->Secret</b> Secret</p>',
    ]) {
      const post = await ghost(html, 'paid')
      expect(post.open, html).toContain('Open one')
      expect(post.open, html).not.toContain('Secret')
      expect(post.closed, html).toContain('Secret')
    }
  })

  test('footnotes and notes of a closed part stay in it', async () => {
    const note = (number: number, text: string) =>
      `<div class="footnote"><a id="footnote-${number}" class="footnote-number">${number}</a><div class="footnote-content"><p>${text}</p></div></div>`
    const post = await ghost(
      `<p>Open.</p>${note(1, 'Open note.')}<!--members-only--><p>x</p>${note(2, 'Secret note.')}`,
      'paid',
    )
    expect(post.open).not.toContain('Secret')
    const written = await markdown('Open[^1].\n\n<!--members-only-->\n\nSecret[^2].\n\n[^1]: One.\n[^2]: Secret note.')
    expect(written.open).toContain('Open')
    expect(written.open).not.toContain('Secret')
  })
})

describe('Public posts', () => {
  test('are open as a whole, also below a divider that Ghost ignores', async () => {
    const html = '<p>One.</p><h2>Two</h2><p>Three.</p><!--members-only--><h2>Four</h2><p>Five.</p>'
    expect(await ghost(html)).toMatchObject({ closed: '', readers: 'everyone', headings: [] })
  })

  test.each([
    begin,
    "<!-- kg-gated-block:begin memberSegment:'status:-free'   nonMember:false-->",
    '<!--kg-gated-block:begin memberSegment:"status:-free"-->',
    '<!--kg-gated-block:begin nonMember:"false" memberSegment:""-->',
    '<!-- KG-gated-block : begin -->',
    '<!--kg-gated-block-->',
  ])('keep the part of paying members closed: %s', async (mark) => {
    const inside = '<p>Secret.</p><h2>Secret heading</h2><div class="kg-card kg-cta-card"><p>Secret offer.</p></div>'
    for (const html of [
      `<p>Open one.</p>${mark}${inside}${end}<p>Open two.</p><h2>Open three</h2><p>Open four.</p>`,
      `<div><p>Open one.</p><div>${mark}${inside}</div>${end}<p>Open two.</p></div><h2>Open three</h2><p>Open four.</p>`,
      `<p>Open one.</p><p>Open two.</p><h2>Open three</h2><p>Open four.</p>${mark}${inside}`,
      `<p>Open one.</p>${begin}<p>Secret</p>${mark}${inside}${end}<p>Secret again</p>${end}<p>Open two. Open three. Open four.</p>`,
    ]) {
      const post = await ghost(html)
      for (const words of ['Open one', 'Open two', 'Open three', 'Open four']) expect(post.open, html).toContain(words)
      expect(post.open + post.headings.join(), html).not.toContain('Secret')
      expect(post.closed).toMatch(/Secret\.[\s\S]*Secret offer/)
      expect(post.readers).toBe('part')
    }
  })

  test('show everyone what only visitors saw, with a note', async () => {
    const mark = '<!--kg-gated-block:begin nonMember:true memberSegment:"status:free" -->'
    const post = await ghost(`<p>One.</p>${mark}<p>Upgrade.</p>${end}<p>Two.</p>`)
    expect(post).toMatchObject({
      closed: '',
      readers: 'everyone',
      notes: [expect.stringContaining('Everyone can read it')],
    })
  })

  test('whose marks are hidden where the parser doesn’t see them are closed', async () => {
    const post = await ghost(`<p>One.</p><noframes>${begin}</noframes><p>Two.</p>`)
    expect(post.readers).toBe('members')
  })

  test('that explain the marks in code stay open', async () => {
    const post = await ghost(
      `<p>Write <code>&lt;!--members-only--&gt;</code> or <code>&lt;!--kg-gated-block:begin--&gt;</code>.</p>`,
    )
    expect(post.readers).toBe('everyone')
  })
})

describe('Front matter', () => {
  const audience = (field: string) => markdown('Text.', field)

  test.each([
    ...['visibility: paid', 'Visibility: Members', 'access: premium', 'paywall: true', 'members_only: true'],
    ...['members-only: yes', 'membersOnly: 1', 'premium: on', 'is_premium: true', 'isPaid: true', 'tier: gold'],
    ...[
      'tiers: [gold, silver]',
      'audience: only_paid',
      'access: {level: 2}',
      'subscribers_only: "true"',
      'password: x',
    ],
    ...[
      'visibility: public\npaid: true',
      'access: free',
      'gated: perhaps',
      'paywalled: 2024-01-01',
      'public: maybe',
      '',
    ],
    ...['plan: pro', 'restricted: true', 'exclusive: true', 'requires_login: true', 'visibility:', 'patron_only: true'],
  ])('“%s” closes a post', async (field) =>
    expect(await audience(field)).toMatchObject({ readers: 'members', open: expect.not.stringContaining('Text.') }),
  )

  test.each([
    ...['visibility: public', 'audience: Everyone', 'access: open', 'paywall: false', 'members_only: no', 'premium: 0'],
    ...['visibility: public\npremium: false', 'access: [all]', 'public: true', 'tiers: []\nvisibility: public'],
  ])('“%s” opens it', async (field) => expect(await audience(field)).toMatchObject({ readers: 'everyone', closed: '' }))

  test('a field that contradicts another never opens a post', () => {
    const field = fc.constantFrom<[string, unknown]>(
      ['visibility', 'paid'],
      ['premium', true],
      ['tier', 'gold'],
      ['access', 'x'],
    )
    const open = fc.constantFrom<[string, unknown]>(['audience', 'everyone'], ['paywall', false], ['public', true])
    fc.assert(
      fc.property(field, fc.array(open), (closing, others) => {
        expect(readAudience(Object.fromEntries([...others, closing]))).toBe('limited')
      }),
    )
  })

  test.each(['<!--members-only-->', '<!-- paywall -->', '<!-- subscribers only -->', '<!-- /paywall -->'])(
    'a text is open above %s, whatever it says',
    async (divider) => {
      for (const field of ['visibility: paid', 'layout: post', 'visibility: public']) {
        const post = await markdown(
          `Open.\n\n## Open too\n\nMore.\n\n${divider}\n\nSecret.\n\n## Secret two\n\nSecret.`,
          field,
        )
        expect(post.open).toMatch(/Open\.[\s\S]*Open too/)
        expect(post.open).not.toContain('Secret')
        expect(post.headings).toEqual([''])
      }
      const inside = await markdown(`Open.\n\nSecret ${divider} Secret.\n\nSecret.`)
      expect(inside.open).not.toContain('Secret')
    },
  )
})
