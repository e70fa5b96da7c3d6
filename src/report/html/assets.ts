/* The style sheet and the script of the page, as they stand in it. */

import register from './register.css?raw';
import layout from './report.css?raw';
import script from './report.js?raw';
import charts from './report-charts.css?raw';
import download from './report-download.js?raw';
import print from './report-print.css?raw';
import tables from './report-tables.css?raw';

/* Comments and indentation are a sixth of the text; neither file has them within a string. */
const compact = (source: string) => source.replace(/\/\*.*?\*\//gs, '').replace(/^\s+/gm, '');

/** The source of the page's style sheet. */
export const pageStyle = compact([layout, charts, tables, register, print].join('\n'));

/** The source of the page's script. */
export const pageScript = compact([download, script].join('\n'));
