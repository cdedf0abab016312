import { Navigate, useLocation, useParams } from 'react-router'

/** Redirects a former address to `to`, followed by its id, query and fragment. */
export function MovedPage({ to }: { to: string }) {
  const { id } = useParams()
  const { search, hash } = useLocation()
  return <Navigate to={{ pathname: id ? `${to}/${encodeURIComponent(id)}` : to, search, hash }} replace />
}
