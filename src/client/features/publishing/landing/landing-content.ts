import { createContext, useContext, useEffect, useState } from 'react'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'

/** Data that the page was rendered with; null on other pages. */
export const LandingContext = createContext<LandingContent | null>(null)

/** Reads what the server embedded in the landing page. */
export function readEmbeddedContent(): LandingContent | null {
  const text = document.getElementById('landing-samples')?.textContent
  return text ? (JSON.parse(text) as LandingContent) : null
}

let fetched: Promise<LandingContent> | null = null

async function fetchContent(): Promise<LandingContent> {
  const response = await fetch('/landing-samples.json')
  if (!response.ok) throw new Error(`The landing page's content returned status ${response.status}`)
  return response.json() as Promise<LandingContent>
}

/** Null while loading, after navigating from another page. If that fails, the error page offers another try. */
export function useLandingContent(): LandingContent | null {
  const embedded = useContext(LandingContext)
  const [loaded, setLoaded] = useState<LandingContent | { error: unknown } | null>(null)
  useEffect(() => {
    if (embedded) return
    fetched ??= fetchContent().finally(() => {
      fetched = null
    })
    let isUnmounted = false
    const show = (result: LandingContent | { error: unknown }) => {
      if (!isUnmounted) setLoaded(result)
    }
    fetched.then(show, (error: unknown) => show({ error }))
    return () => {
      isUnmounted = true
    }
  }, [embedded])
  if (loaded && 'error' in loaded) throw loaded.error
  return embedded ?? loaded
}
