import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

type PreviewFrameProps = { title: string; children: ReactNode }

/**
 * A page in the page: what is shown in it takes its own width for the window's, so that it is set as a reader with such
 * a window would get it, and neither its headings nor its anchors mix with the editor's. Nothing in it leads anywhere.
 */
export function PreviewFrame({ title, children }: PreviewFrameProps) {
  const [page, setPage] = useState<Document | null>(null)
  useEffect(() => {
    if (page) return dressLike(page, document)
  }, [page])
  return (
    <>
      <iframe
        title={title}
        srcDoc="<!doctype html><html lang='en'><head></head><body></body></html>"
        onLoad={(event) => setPage(event.currentTarget.contentDocument)}
        className="size-full bg-background"
      />
      {page && createPortal(<div className="page py-8">{children}</div>, page.body)}
    </>
  )
}

/** Styles and theme of this page, kept alike for as long as the frame is there. */
function dressLike(page: Document, model: Document) {
  const dress = () => {
    const styles = model.querySelectorAll('link[rel=stylesheet], style')
    page.head.replaceChildren(...[...styles].map((style) => style.cloneNode(true)))
  }
  const paint = () => {
    const { theme } = model.documentElement.dataset
    if (theme) page.documentElement.dataset.theme = theme
    else delete page.documentElement.dataset.theme
  }
  dress()
  paint()
  const painting = new MutationObserver(paint)
  painting.observe(model.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const dressing = new MutationObserver(dress)
  dressing.observe(model.head, { childList: true })
  const handleClick = (event: Event) => {
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link) return
    event.preventDefault()
    const { hash } = new URL(link.href)
    if (hash) page.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView({ behavior: 'smooth' })
  }
  page.addEventListener('click', handleClick)
  return () => {
    painting.disconnect()
    dressing.disconnect()
    page.removeEventListener('click', handleClick)
  }
}
