import { LoaderCircle } from 'lucide-react'

/** Decorative: the surrounding control or text must say what is loading. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" strokeWidth={1.75} />
}
