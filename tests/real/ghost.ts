import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { asGhostHtml } from '#server/features/operations/archive/render-post.ts'
import { installNpm } from './support/packages.ts'
import type { RealPart } from './support/part.ts'

type Node = { type: string; children?: Node[] } & Record<string, unknown>

const section = (heading: string, body: string, openToEveryone: boolean) => ({
  ...{ heading, body, openToEveryone, summary: '', examples: {} },
})
const publicUrl = 'https://counter.example'
const cards =
  '> [!WARNING]\n> Count **twice**.\n>\n> Then [again](/portal/weekly-drops/earlier).\n\n[Get the sheet](/portal/weekly-drops/sheet "button")'
const html = asGhostHtml(
  {
    ...{ slug: 'till', worth: '', intro: 'Hello.', closing: '', question: '', editorNote: '' },
    sections: [section('Open', cards, true), section('Closed', 'For members.\n\n> [!NOTE]\n> Quiet.', false)],
  },
  publicUrl,
)

let directory = ''

/** What Ghost's importer makes of our posts: `@tryghost/kg-html-to-lexical` converts their HTML. */
export default {
  name: 'ghost',
  async install() {
    directory = installNpm('ghost', '@tryghost/kg-html-to-lexical@1.3.5')
  },
  async run(checks) {
    const { htmlToLexical } = createRequire(join(directory, 'package.json'))('@tryghost/kg-html-to-lexical') as {
      htmlToLexical(html: string): { root: Node }
    }
    const nodes = htmlToLexical(html).root.children ?? []
    const ofType = (type: string) => nodes.filter((node) => node.type === type)
    await checks.check('one divider is between the open and the closed part', () => {
      const texts = nodes.map((node) => (node.type === 'paywall' ? '---' : JSON.stringify(node)))
      assert.equal(ofType('paywall').length, 1)
      const at = texts.indexOf('---')
      assert.ok(texts.findIndex((text) => text.includes('Get the sheet')) < at)
      assert.ok(texts.findIndex((text) => text.includes('For members.')) > at)
    })
    await checks.check('callouts keep their text, links and line breaks', () => {
      const callouts = ofType('callout')
      assert.deepEqual(
        callouts.map(({ calloutText }) => calloutText),
        ['Count <strong>twice</strong>.<br><br>Then <a href="__GHOST_URL__/earlier/">again</a>.', 'Quiet.'],
      )
      assert.deepEqual(
        callouts.map(({ backgroundColor }) => backgroundColor),
        ['yellow', 'blue'],
      )
    })
    await checks.check('buttons keep their text and address', () => {
      const [button] = ofType('button')
      assert.equal(button?.buttonText, 'Get the sheet')
      assert.equal(button?.buttonUrl, '__GHOST_URL__/sheet/')
    })
  },
} satisfies RealPart
