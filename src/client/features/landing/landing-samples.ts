import { createContext, useContext, useEffect, useState } from 'react'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

/** The samples that the page was rendered with; null on other pages. */
export const LandingSamplesContext = createContext<LandingSamples | null>(null)

/** Reads the samples that the server embedded in the landing page. */
export function readEmbeddedSamples(): LandingSamples | null {
  const text = document.getElementById('landing-samples')?.textContent
  return text ? (JSON.parse(text) as LandingSamples) : null
}

const noSamples: LandingSamples = { drop: null, prompt: null, guide: null, promptCount: 0, tool: null }
let fetched: Promise<LandingSamples> | null = null

/** Falls back to no samples: the page is complete without them. */
const fetchSamples = (): Promise<LandingSamples> =>
  fetch('/landing-samples.json').then(
    (response) => (response.ok ? (response.json() as Promise<LandingSamples>) : noSamples),
    () => noSamples,
  )

/** Null while loading, after navigating from another page. */
export function useLandingSamples(): LandingSamples | null {
  const embedded = useContext(LandingSamplesContext)
  const [loaded, setLoaded] = useState<LandingSamples | null>(null)
  useEffect(() => {
    if (embedded) return
    fetched ??= fetchSamples().finally(() => {
      fetched = null
    })
    let isUnmounted = false
    void fetched.then((samples) => {
      if (!isUnmounted) setLoaded(samples)
    })
    return () => {
      isUnmounted = true
    }
  }, [embedded])
  return embedded ?? loaded
}
