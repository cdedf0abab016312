/** Plain pages in the publication's colors, in both schemes, down to 360 px. */
export const mailStyles = `
:root {
  color-scheme: light dark;
  --background: light-dark(oklch(0.977 0.009 85), oklch(0.205 0.008 65));
  --surface: light-dark(oklch(0.993 0.005 85), oklch(0.24 0.009 65));
  --ink: light-dark(oklch(0.245 0.014 60), oklch(0.93 0.012 85));
  --muted: light-dark(oklch(0.455 0.016 65), oklch(0.745 0.016 80));
  --line: light-dark(oklch(0.875 0.013 80), oklch(0.345 0.01 70));
  --line-strong: light-dark(oklch(0.6 0.016 75), oklch(0.6 0.014 75));
  --primary: light-dark(oklch(0.395 0.076 165), oklch(0.79 0.102 162));
  --on-primary: light-dark(oklch(0.985 0.007 85), oklch(0.2 0.032 165));
  --accent-ink: light-dark(oklch(0.45 0.097 62), oklch(0.85 0.118 82));
  --accent-soft: light-dark(oklch(0.943 0.047 86), oklch(0.305 0.042 75));
  --focus: light-dark(oklch(0.58 0.135 58), oklch(0.82 0.14 77));
}
* { box-sizing: border-box; }
body {
  max-width: 50rem; margin: 0 auto; padding: 0 1.25rem;
  background: var(--background); color: var(--ink);
  font: 400 1rem/1.5 "Instrument Sans", "Segoe UI", Helvetica, Arial, sans-serif;
  overflow-wrap: anywhere;
}
header { display: flex; align-items: center; gap: 0.75rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
.name, h1, h2 { font-family: Fraunces, Georgia, "Times New Roman", serif; font-weight: 600; }
.name { display: inline-flex; align-items: center; min-height: 2.75rem; font-size: 1.25rem; text-decoration: none; }
.mark {
  padding: 0.125rem 0.5rem; border-radius: 999px;
  background: var(--accent-soft); color: var(--accent-ink); font-size: 0.8125rem; font-weight: 600;
}
main { padding: 2rem 0 3rem; }
h1 { margin: 0 0 0.5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.25rem; }
.lead, .count, .empty, .to, dt, time, footer { color: var(--muted); }
a { color: var(--primary); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.5rem 0.75rem; background: var(--surface); }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin: 1.5rem 0; }
input, button { min-height: 2.75rem; padding: 0 0.75rem; border-radius: 5px; font: inherit; }
input { flex: 1 1 14rem; min-width: 0; border: 1px solid var(--line-strong); background: var(--surface); color: var(--ink); }
input::placeholder { color: var(--muted); opacity: 1; }
button { border: 0; background: var(--primary); color: var(--on-primary); font-weight: 600; cursor: pointer; }
.list { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.list li {
  display: grid; gap: 0 1rem; grid-template-columns: 1fr auto; padding: 0.5rem 0; border-bottom: 1px solid var(--line);
}
.list a { grid-column: 1 / -1; padding: 0.75rem 0 0.5rem; font-weight: 600; }
.list .text { grid-column: 1 / -1; margin: 0.25rem 0; white-space: pre-line; }
.to, time, .count { font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 1.5rem 0 0; }
dt { font-size: 0.9375rem; }
dd { margin: 0; }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface); }
pre {
  margin: 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface);
  font: 0.9375rem/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
}
footer { padding: 1rem 0 2rem; border-top: 1px solid var(--line); font-size: 0.9375rem; }
@media (max-width: 30rem) {
  .list li { grid-template-columns: 1fr; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.5rem; }
}
`
