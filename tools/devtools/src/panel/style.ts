export const style = `
:host { all: initial; }
.panel { color-scheme: light dark; --bg: light-dark(#fff, #151917); --fg: light-dark(#1a1f1c, #e8ece9); --dim: light-dark(#5b6560, #a3aea8); --line: light-dark(#d9dedb, #333b37); --soft: light-dark(#f3f5f4, #1e2421); --accent: light-dark(#14532d, #86efac); --bad: light-dark(#b42318, #fda29b); --warn: light-dark(#8a5a00, #fcd34d); --good: light-dark(#166534, #86efac);
  box-sizing: border-box; position: fixed; z-index: 2147483647; display: flex; flex-direction: column; color: var(--fg); background: var(--bg); border: 1px solid var(--line); font: 13px/1.45 system-ui, sans-serif; box-shadow: 0 -4px 24px #0002; }
:host([data-theme=light]) .panel { color-scheme: light; }
:host([data-theme=dark]) .panel { color-scheme: dark; }
.panel * { box-sizing: border-box; }
.panel[data-dock=bottom] { inset: auto 0 0 0; height: min(var(--size, 340px), 90vh); }
.panel[data-dock=right] { inset: 0 0 0 auto; width: min(var(--size, 520px), 95vw); }
.panel[data-dock=float] { inset: auto 24px 24px auto; width: min(760px, calc(100vw - 48px)); height: min(460px, calc(100vh - 48px)); border-radius: 10px; overflow: hidden; resize: both; }
.panel[data-dock=window] { inset: 0; border: 0; }
.panel[data-dock=shell] { position: relative; z-index: 0; width: 100%; height: 100%; min-height: 200px; border: 0; box-shadow: none; }
header { display: flex; align-items: center; gap: 4px; padding: 0 8px; border-bottom: 1px solid var(--line); background: var(--soft); flex: none; overflow-x: auto; }
header [aria-label^=Close] { position: sticky; right: 0; }
header strong { padding: 0 8px 0 2px; white-space: nowrap; }
[role=tab] { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; padding: 8px 10px; }
[role=tab][aria-selected=true] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.grow { flex: 1; }
button, select, input, textarea { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; }
button { cursor: pointer; white-space: nowrap; }
button:hover { background: var(--soft); }
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.content { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.panel[data-dock=right] .content { grid-template-columns: none; grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
@media (max-width: 640px) { .content { grid-template-columns: none !important; grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); } }
.side { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
.bar { display: flex; gap: 6px; padding: 6px 8px; border-bottom: 1px solid var(--line); flex: none; align-items: center; flex-wrap: wrap; }
.bar input[type=search] { flex: 1; min-width: 90px; }
.list { flex: 1; min-height: 60px; overflow: auto; }
.space { position: relative; }
ul { list-style: none; margin: 0; padding: 0; }
.rows > li { height: 28px; }
.row { display: flex; gap: 8px; align-items: center; width: 100%; height: 28px; border: 0; border-bottom: 1px solid var(--line); border-radius: 0; background: none; text-align: left; overflow: hidden; }
.row[aria-pressed=true] { background: var(--soft); box-shadow: inset 3px 0 var(--accent); }
.row .text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; min-width: 0; }
.dim { color: var(--dim); }
.tag { font-size: 11px; font-weight: 600; min-width: 46px; }
.Valid { color: var(--good); } .Stale { color: var(--warn); } .Invalid, .bad { color: var(--bad); }
.life { width: 36px; height: 5px; border-radius: 3px; background: var(--line); overflow: hidden; flex: none; }
.life i { display: block; height: 100%; background: var(--good); }
.detail { border-left: 1px solid var(--line); overflow: auto; padding: 10px 12px; min-height: 0; min-width: 0; }
.panel[data-dock=right] .detail { border-left: 0; border-top: 1px solid var(--line); }
.detail h2 { font-size: 14px; margin: 0 0 6px; overflow-wrap: anywhere; }
.detail h3 { font-size: 12px; margin: 12px 0 4px; color: var(--dim); }
.detail p { margin: 4px 0; overflow-wrap: anywhere; }
.detail .actions { display: flex; gap: 6px; flex-wrap: wrap; margin: 8px 0; }
pre { margin: 0; padding: 8px; background: var(--soft); border-radius: 6px; overflow: auto; max-height: 260px; font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 12px; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
textarea { width: 100%; min-height: 120px; font: 12px/1.45 ui-monospace, monospace; }
.empty { padding: 16px; color: var(--dim); }
`
