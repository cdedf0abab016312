import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'

type OpenDropProps = { slug: string; title: string; label: string }

/** A link to a drop's own page. A plain click reads the drop's open text here instead. */
export function OpenDrop({ slug, title, label }: OpenDropProps) {
  const [text, setText] = useState<'closed' | 'loading' | { html: string }>('closed')
  const opened = useRef<HTMLDivElement>(null)
  const path = `/drops/${slug}`
  const isOpen = typeof text === 'object'
  useEffect(() => {
    if (isOpen) opened.current?.focus()
  }, [isOpen])

  const handleClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (text === 'loading') return
    setText('loading')
    readOpenText(path).then(
      (html) => setText({ html }),
      () => window.location.assign(path),
    )
  }

  if (!isOpen) {
    return (
      <a href={path} onClick={handleClick} aria-busy={text === 'loading' || undefined} className={linkStyles}>
        {label}
      </a>
    )
  }
  return (
    <section ref={opened} tabIndex={-1} aria-label={title} className="mt-2 border-t border-line pt-2 text-ink">
      <TrustedHtml html={text.html} />
      <a href={path} className={`mt-4 ${linkStyles}`}>
        Open it on its own page
      </a>
    </section>
  )
}

const linkStyles = 'text-link inline-flex min-h-11 items-center text-sm'

/** The running text of a public drop page, without its header and its offers. */
async function readOpenText(path: string): Promise<string> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const parts = page.querySelectorAll('article.drop .section-heading, article.drop .prose')
  if (parts.length === 0) throw new Error(`${path} has no text`)
  return Array.from(parts, ({ tagName, innerHTML, textContent }) =>
    tagName === 'H2' ? headingOf(textContent) : innerHTML.replaceAll(/<(\/?)h[3-6]\b/g, '<$1h6'),
  ).join('')
}

/** A level below the sample's own heading, and a level above those of its text. */
function headingOf(text: string): string {
  const heading = document.createElement('h5')
  heading.textContent = text
  return heading.outerHTML
}
