import MarkdownIt from 'markdown-it'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import page from '../../../../../docs/handbook/bring-members-and-posts.md?raw'

/** The handbook's page, without its title and the section whose links lead to files of the repository. */
const text = page.replace(/^# .*\n/, '').replace(/\n## Samples[\s\S]*$/, '')
const html = new MarkdownIt({ html: false })
  .render(text)
  .replaceAll('<table>', '<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>')
  .replaceAll('</table>', '</table></div>')

export function Component() {
  return (
    <>
      <PageHeading title="What to export where" />
      <TrustedHtml html={html} className="pt-8 max-w-none!" />
    </>
  )
}
