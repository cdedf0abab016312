/** Styles of the sandbox inbox, in addition to the shared ones. */
export const inboxStyles = `
.lead { max-width: 40rem; }
.count, .empty, .to, dt, time { color: var(--muted); }
.to, time, .count, dt { font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 1.5rem 0; }
label { font-size: 0.9375rem; font-weight: 600; }
input {
  flex: 1 1 12rem; min-width: 0; max-width: 28rem; min-height: 44px; padding: 0 12px; font: inherit;
  border: 1px solid var(--line-strong); border-radius: 5px; background: var(--surface); color: var(--ink);
}
input::placeholder { color: var(--muted); opacity: 1; }
.list { margin: 0; padding: 0; list-style: none; border-top: 2px solid var(--ink); }
.list li {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  padding: 0.5rem 0; border-bottom: 1px solid var(--line);
}
.list a { flex: 1 0 100%; padding: 0.75rem 0 0.5rem; font-weight: 600; }
.list .text { flex: 1 0 100%; margin: 0.25rem 0; white-space: pre-line; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: 4px 1rem; margin: 1.5rem 0 0; }
dd { margin: 0; }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface); }
pre {
  margin: 0; padding: 20px; border: 1px solid var(--line); border-radius: 5px; background: var(--surface);
  font: 0.9375rem/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
}
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.5rem; }
}
`
