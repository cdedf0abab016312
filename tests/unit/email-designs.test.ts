import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyLook } from '#server/mail/email-palette.ts'
import { contrast, nearestReadableAccent } from '#shared/domain/accent-colors.ts'
import { corners, type DesignName, designs, fontPairs, headers, type Look, widths } from '#shared/domain/designs.ts'
import { everyEmail } from '#tests/support/every-email.ts'

type Dark = Map<string, Record<string, string>>
type Box = { color: string; background: string }

/** The rules of the dark theme by class, as clients with a media query apply them. */
function darkRules(html: string): Dark {
  const block = /@media \(prefers-color-scheme: dark\) \{([\s\S]*?)\n\}/.exec(html)?.[1] ?? ''
  return new Map(
    [...block.matchAll(/\.(\w+) \{ ([^}]*) \}/g)].map(([, name = '', rule = '']) => [
      name,
      Object.fromEntries(
        [...rule.matchAll(/([\w-]+): (#[0-9a-f]{6}) !important/g)].map(([, key, color]) => [key, color]),
      ),
    ]),
  )
}

/** Text with a color of less contrast than 4.5 to what is behind it. */
function unreadable(html: string, dark: Dark | null): string[] {
  const stack: Box[] = [{ color: '#000000', background: '#ffffff' }]
  const found: string[] = []
  // Without the preview text of the inbox.
  const body = html.slice(html.indexOf('<body')).replace(/<div style="display:none[\s\S]*?<\/div>/, '')
  for (const [, tag = '', text = ''] of body.matchAll(/(<[^>]*>)|([^<]+)/g)) {
    const box = stack.at(-1) ?? { color: '', background: '' }
    if (tag.startsWith('</')) stack.pop()
    else if (/^<[a-z]/.test(tag) && !/^<(img|br|hr|meta)\b/.test(tag)) {
      const style = /style="([^"]*)"/.exec(tag)?.[1] ?? ''
      const last = (name: string) => [...style.matchAll(new RegExp(`(?:^|;)${name}:(#[0-9a-f]{6})`, 'g'))].at(-1)?.[1]
      const names = (/class="([^"]*)"/.exec(tag)?.[1] ?? '').split(' ')
      const byClass = (name: string) => names.map((each) => dark?.get(each)?.[name]).findLast(Boolean)
      stack.push({
        color: byClass('color') ?? last('color') ?? box.color,
        background: byClass('background-color') ?? last('background-color') ?? box.background,
      })
    } else if (text.trim() && !/^(?:&#?\w+;|\s)+$/.test(text) && contrast(box.color, box.background) < 4.49)
      found.push(`${box.color} on ${box.background}: ${text.trim().slice(0, 40)}`)
  }
  return found
}

const emails = ['confirmation', 'payment-failed', 'welcome', 'plan-started'].map((name) => everyEmail[name]?.html ?? '')
const keysOf = <T extends string>(set: Readonly<Record<T, unknown>>) => fc.constantFrom(...(Object.keys(set) as T[]))
const looks: fc.Arbitrary<Look> = fc.record({
  design: keysOf(designs),
  fonts: keysOf(fontPairs),
  width: keysOf(widths),
  corners: keysOf(corners),
  header: keysOf(headers),
})
const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('each text of an email can be read in every design, light and dark, whatever the color', () => {
  fc.assert(
    fc.property(looks, fc.option(colors), fc.constantFrom(...emails), (look, color, email) => {
      const html = applyLook(email, { look, accent: color === null ? '' : nearestReadableAccent(color) })
      expect(unreadable(html, null)).toEqual([])
      expect(unreadable(html, darkRules(html))).toEqual([])
    }),
  )
})

test('the check finds a text that can’t be read', () => {
  expect(unreadable('<body style="background-color:#ffffff"><p style="color:#ffff00">Hello</p>', null)).toHaveLength(1)
})

test('designs differ in type, rules and header, and the default changes nothing', () => {
  const [email = ''] = emails
  const dressed = (design: DesignName) => applyLook(email, { look: designs[design].look, accent: '' })
  expect(dressed('counter')).toBe(email)
  expect(dressed('folio')).toMatch(/class="ink text" style="[^"]*font-family:Georgia/)
  expect(dressed('folio')).not.toContain(designs.counter.light.paper)
  expect(dressed('bulletin')).not.toMatch(/class="title ink" style="[^"]*Georgia/)
  expect(dressed('bulletin')).toContain('border-radius:0')
})
