import { LoaderCircle } from 'lucide-react'

/** Decoration only: what is going on is said by the control or text that it stands in. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin" strokeWidth={1.75} />
}
