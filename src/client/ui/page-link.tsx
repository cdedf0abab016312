import { clsx } from 'clsx'
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from 'react-router'

/** Returns true if the role may open a page of the admin. */
export const CanOpenPage = createContext<(path: string) => boolean>(() => true)

type PageLinkProps = {
  to: string
  /** Accessible name of the link, if its text doesn't say what it opens. */
  label?: string
  className?: string
  /** Classes of the link itself. Default: underlined text. */
  linkClassName?: string
  children: ReactNode
}

/** A link to a page of the admin; plain text for roles that can't open it. */
export function PageLink({ to, label, className, linkClassName = 'text-link', children }: PageLinkProps) {
  const canOpen = useContext(CanOpenPage)
  const [path = to] = to.split('?')
  if (!canOpen(path)) return <span className={className}>{children}</span>
  return (
    <Link to={to} aria-label={label} className={clsx(linkClassName, className)}>
      {children}
    </Link>
  )
}
