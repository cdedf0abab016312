import { clsx } from 'clsx'
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from 'react-router'

/** Whether the role may open a page of the admin. */
export const CanOpenPage = createContext<(path: string) => boolean>(() => true)

type PageLinkProps = { to: string; className?: string; children: ReactNode }

/** A link to a page of the admin; plain text for roles that can't open it. */
export function PageLink({ to, className, children }: PageLinkProps) {
  const canOpen = useContext(CanOpenPage)
  const [path = to] = to.split('?')
  if (!canOpen(path)) return <span className={className}>{children}</span>
  return (
    <Link to={to} className={clsx('text-link', className)}>
      {children}
    </Link>
  )
}
