/** Shows that payments and emails are simulated. Visible only with `<html data-mode="sandbox">`. */
export function SandboxBadge() {
  return (
    <span className="sandbox-badge items-center rounded-sm border border-line-strong px-1.5 text-xs font-medium text-muted">
      Sandbox
    </span>
  )
}
