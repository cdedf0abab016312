import { type RefObject, useEffect, useRef } from 'react'
import { selectLineEvent } from '#client/lib/focus-field.ts'

type SourcePlaceholderProps = {
  path: string
  rows: number
  /** The line to select once the source is loaded, 0 for the whole field. */
  wantedLine: RefObject<number | null>
}

/** Holds the place of the source while CodeMirror loads, and remembers that a problem's line was asked for. */
export function SourcePlaceholder({ path, rows, wantedLine }: SourcePlaceholderProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    const remember = (event: Event) => {
      wantedLine.current = event instanceof CustomEvent ? Number(event.detail) : (wantedLine.current ?? 0)
    }
    element?.addEventListener('focus', remember)
    element?.addEventListener(selectLineEvent, remember)
    return () => {
      element?.removeEventListener('focus', remember)
      element?.removeEventListener(selectLineEvent, remember)
    }
  }, [wantedLine])
  return <div ref={box} data-path={path} tabIndex={-1} style={{ height: `${rows * 1.5 + 1.4}rem` }} />
}
