/**
 * The style sheet of the page: light, dark and paper, from 320 pixels of width. Text has a contrast
 * of 4.5 or more, marks of 3 or more.
 */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #f3f5f7; --card: #fff; --ink: #17212b; --soft: #51606e; --line: #d5dce2; --grid: #e3e8ec; --focus: #0b5cad; --link: #0b5394;
  --s1: #12436d; --s2: #16877e; --s3: #a03a7f; --s12: #c2560c; --main: #1f5f99; --yes: #11705f; --partly: #b4730c; --no: #8391a0; --bad: #a8353c; --missing: #6d7a87 }
@media (prefers-color-scheme: dark) { :root { --paper: #0e141a; --card: #172029; --ink: #e8eef3; --soft: #a3b1be; --line: #33414d; --grid: #26323c; --focus: #7cc0ff; --link: #8cc7ff;
  --s1: #6fb2ea; --s2: #42c9bd; --s3: #e58cc4; --s12: #f79a58; --main: #6fb2ea; --yes: #3fc2a5; --partly: #e0aa48; --no: #7b8996; --bad: #f08a90; --missing: #93a2b0 } }
@media print { :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --grid: #ddd; --link: #000;
  --s1: #12436d; --s2: #16877e; --s3: #a03a7f; --s12: #c2560c; --main: #1f5f99; --yes: #11705f; --partly: #b4730c; --no: #8391a0; --bad: #a8353c; --missing: #6d7a87 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; overflow-wrap: break-word }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 2rem }
h1 { font-size: clamp(1.6rem, 4vw, 2.3rem); line-height: 1.15; margin: 0; letter-spacing: -.01em }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .15rem }
h3 { font-size: .95rem; margin: 1rem 0 .15rem }
p { margin: .25rem 0 }
a { color: var(--link) }
.lead, .soft, .note, .tick, caption { color: var(--soft) }
.lead { margin-top: .4rem }
.warn { border-left: 4px solid var(--partly); background: var(--card); padding: .5rem .75rem; margin: 1rem 0 0 }
#printed { display: none }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 2 }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: .75rem; margin: 1.25rem 0 .75rem; padding: 0 }
.tiles div, section { background: var(--card); border: 1px solid var(--line); border-radius: 10px }
.tiles div { padding: .8rem 1rem; display: flex; flex-direction: column }
.tiles dt { color: var(--soft); font-size: .875rem } .tiles dd { margin: 0 }
.tiles .big { font-size: 1.9rem; font-weight: 650; line-height: 1.2; letter-spacing: -.02em }
.tiles .soft { font-size: .8125rem }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: .75rem; margin-bottom: .75rem }
section { padding: 1rem 1.1rem 1.1rem; margin-bottom: .75rem; min-width: 0 } .cards section { margin-bottom: 0 }
section > .soft { font-size: .875rem }
figure { margin: .75rem 0 0 }
svg { display: block; overflow: visible } .bar { border-radius: 3px; overflow: hidden; background: var(--grid) }
.columns text { font-size: 12px; fill: var(--ink) } .columns .label, .columns .note { text-anchor: middle } .columns .label { font-weight: 600 } .columns .head { text-anchor: middle; fill: var(--soft) }
.columns .tick { fill: var(--soft); paint-order: stroke; stroke: var(--card); stroke-width: 4px } .columns .note { fill: var(--soft); font-size: 11px } .columns .readout { text-anchor: end; font-weight: 600; opacity: 0; pointer-events: none }
.grid { stroke: var(--grid) }
.mark:hover .readout, .mark:focus .readout { opacity: 1 } .mark:hover rect, .mark:focus rect { filter: brightness(1.15) } .mark:focus { outline: none } .mark:focus-visible rect { stroke: var(--focus); stroke-width: 3 }
.s1 { fill: var(--s1) } .s2 { fill: var(--s2) } .s3 { fill: var(--s3) } .s12 { fill: var(--s12) } .main { fill: var(--main) }
.yes { fill: var(--yes) } .partly { fill: var(--partly) } .no { fill: var(--no) } .missing { fill: none; stroke: var(--missing); stroke-width: 2; stroke-dasharray: 3 3 }
.partial { fill-opacity: .5; stroke-width: 1.5; stroke-dasharray: 4 3 } .s1.partial { stroke: var(--s1) } .s2.partial { stroke: var(--s2) } .s3.partial { stroke: var(--s3) } .s12.partial { stroke: var(--s12) }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .5rem 0 0; font-size: .8125rem } .legend li { display: flex; align-items: center; gap: .4rem } .legend svg { border-radius: 3px; overflow: hidden }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums }
caption { text-align: left; font-size: .8125rem; padding: .25rem 0 }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top }
th[scope=row], thead th:first-child, .text { text-align: left } th { font-weight: 600 }
.bars { margin-top: .5rem } .bars th, .bars td { padding: .25rem .75rem .25rem 0; border: 0; vertical-align: middle; white-space: nowrap } .bars th[scope=row] { font-weight: 500; white-space: normal; overflow-wrap: anywhere; min-width: 7.5rem; max-width: 9rem } .bars td:last-child { padding-right: 0 } .bars .wide { width: 100%; min-width: 3rem; text-align: left; white-space: normal }
.bars .wide .soft { font-size: .8125rem } .largest th[scope=row] { width: 100%; max-width: none } .largest .bar { margin-top: .2rem } .largest .soft { display: block; font-weight: 400; font-size: .8125rem }
section { position: relative } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap } .bars thead th { padding: 0 } .halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: .5rem 1.5rem }
.spread { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; font-variant-numeric: tabular-nums } .spread dt { color: var(--soft); font-size: .75rem } .spread dd { margin: 0; font-weight: 600 } .axis { font-size: .8125rem; margin-top: .4rem }
details { margin-top: .6rem; font-size: .875rem } summary { cursor: pointer; color: var(--link) }
.scroll { overflow-x: auto }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0 } .controls[hidden], .more[hidden], .more button[hidden] { display: none }
label { font-weight: 600; font-size: .875rem }
input { display: block; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 6px; padding: .4rem .6rem; width: min(22rem, 100%); min-width: 16rem }
.more { display: flex; gap: .5rem; margin-top: .75rem } .more button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 6px; padding: .4rem .8rem; cursor: pointer }
.all { border: 1px solid var(--line); border-radius: 6px } .all th, .all td { white-space: nowrap } .all td.text { white-space: normal; min-width: 7.5rem } .all td:nth-child(4) { min-width: 11rem }
.all tbody th { font-weight: 600; white-space: normal; min-width: 9rem; overflow-wrap: anywhere; position: sticky; left: 0; background: var(--card) } .all thead th:first-child { position: sticky; left: 0 }
.all thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; background: var(--card) } .all tbody tr:hover > * { background: var(--paper) }
.all thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit } .all thead button::after { content: "\\2195" / ""; color: var(--soft); padding-left: .25em } .all [aria-sort=ascending] button::after { content: "\\2191" / ""; color: inherit } .all [aria-sort=descending] button::after { content: "\\2193" / ""; color: inherit }
.synced { color: var(--yes) } .errored { color: var(--bad) } .open { color: var(--partly) }
footer { padding-bottom: 3rem } footer ul { margin: .25rem 0; padding-left: 1.2rem; font-size: .875rem; color: var(--soft) }
@media (min-width: 40rem) { section > .bars:not(.largest) th[scope=row] { min-width: 10rem; max-width: 12rem } }
@media (max-width: 40rem) { body { font-size: 15px } section { padding: .85rem } }
@media print { @page { margin: 14mm } body { font-size: 9pt } header { padding-top: 0 } header, main, footer { max-width: none; padding: 0 } section, .tiles div { border-color: #999 } .tiles { grid-template-columns: repeat(4, 1fr); gap: 3mm; margin: 4mm 0 3mm } .tiles .big { font-size: 1.6rem }
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 3mm; margin-bottom: 3mm; align-items: start } section { padding: .7rem .8rem } .cards section:is([aria-labelledby=emissions], [aria-labelledby=gaps]) { grid-column: 1 / -1 }
  svg, .legend, .spread, .tiles div, tr, section:is([aria-labelledby=scores], [aria-labelledby=commitments]) { break-inside: avoid } h2, h3, h2 + p, caption, summary, .spread { break-after: avoid } .legend, .axis { break-before: avoid } figure { margin-top: .4rem } details { margin-top: .3rem } details table { font-size: 7.5pt } details :is(th, td) { padding: .1rem .25rem } details th { white-space: nowrap } .bars :is(th, td) { padding-block: .1rem }
  #printed:not(:empty) { display: block } .controls, .more, .skip, .all thead button::after { display: none } summary { list-style: none; color: inherit } .all thead button { display: contents } thead { display: table-header-group } details thead { display: table-row-group } .scroll { overflow: visible } .all { border: 0 } .all th, .all td { padding: .15rem .25rem; font-size: 7.5pt; white-space: normal; min-width: 0 !important; position: static !important } rect { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
@media print and (orientation: landscape) { .cards { grid-template-columns: repeat(6, minmax(0, 1fr)) } .cards section:is([aria-labelledby=ranks], [aria-labelledby=largest], [aria-labelledby=gaps]) { grid-column: span 2 } section:is([aria-labelledby=scores], [aria-labelledby=commitments]) { grid-column: span 3 }
  section[aria-labelledby=scores] { break-inside: auto } section[aria-labelledby=scores] figure { display: grid; grid-template-columns: 2fr 1fr; gap: 0 3mm } section[aria-labelledby=scores] details { grid-column: 2; grid-row: 1 / span 2; margin: 0 } }
`;
