import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/api/schema.ts';
import { renderOrganization } from '../../../src/cli/output/organization/organization.ts';
import { loadStyle, plainStyle } from '../../../src/terminal/style.ts';
import { errored, full, researching, sparse } from './records.ts';

const onTerminal = (record: Organization, columns: number) =>
  renderOrganization(record, { style: plainStyle, columns, terminal: true, synthetic: false });
const inPipe = (record: Organization) =>
  renderOrganization(record, { style: plainStyle, columns: 80, terminal: false, synthetic: false });

describe('renderOrganization', () => {
  it('shows a full record at 40 columns', () => {
    expect(onTerminal(full, 40)).toMatchInlineSnapshot(`
      "Nordwind Logistik AG
      ● synced · research complete

        Id              104211
        Headquarters    Germany (DE)
                        subregion HH
        Industry        Freight transport
                          and logistics
                        id isic-5229
                        confidence medium
        Website         https://www.nordwind-l
                        ogistik.example
        External id     HRB 123456

      Score  0 is worst, 100 is best
        Score           63.4  ██████████▏·····
        Industry mean   51.4  ████████▎·······
        Percentile      81st percentile of its
                        industry
        Industry rank   high (rank of the
                        industry among all
                        industries)
        Region rank     very low

      Emissions
        Germany (DE) · no unit is documented
        Year  Sc. 1   Sc. 2   Sc. 3   Total
        ────  ──────  ──────  ──────  ──────
        2023  12.4K   8.31K   1.20M   1.22M
        2022  13.1K   8.90K*  1.31M†  1.33M†
        2021  14.0K       –       –       –
        * market-based · † sum of the
        disclosed parts, no total disclosed

        2023 in detail
        Scope 1         12,400
                        sum of parts 12,013
                        stationary
                          combustion 2,151
                        mobile combustion
                          9,800
                        fugitive emissions
                          62.3
                        process emissions 0
        Scope 2         8,310
                        market-based 8,310
                        location-based 9,455
                        sum of parts 8,310
                        purchased
                          electricity 7,020
                        purchased steam 0
                        purchased heat 1,104
                        purchased cooling 186
        Scope 1 and 2   20,710
                        market-based 20,710
                        location-based 21,855
        Scope 3         1,204,000
                        sum of parts 1,203,900
        Total           1,224,710
                        sum of parts 1,224,223

        2023 scope 3 by category
          9 of 15 disclosed
         4 Upstream transportation a…  812,000
         1 Purchased goods and servi…  291,000
         9 Downstream transportation…   64,200
         2 Capital goods                18,400
         7 Employee commuting            5,840
           and 4 smaller

      Revenue and emission factors  in EUR
        2023            Revenue €1.24B
                        Factor 0.000985
                        Scope 1+2 0.0000167
                        Upstream 0.000781
        2022            Revenue €1.18B
                        Factor 0.00113
                        Scope 1+2 –
                        Upstream 0.000902

      Reporting and commitments
        Environment     report found
        CDP             ✓ listed
                          as of 3 Mar 2025
                          page
                            https://cdp.exampl
                            e/nordwind
        SBTi near term  ✓ has a target
                          status committed
        SBTi long term  ✓ has a target
                          target 1.5
                          year 2045
        SBTi net zero   ✓ has a target
                          year 2050
        SBTi 1.5 °C     ✓ Business Ambition
                            for 1.5 °C
                          joined 15 Mar 2021
        SBTi detail     Nordwind commits to
                        reduce absolute scope
                        1 and 2 emissions 42%
                        by 2030 from a 2020
                        base year.
        SBTi record     created 20 Nov 2024
                        retrieved 4 Mar 2025
                        as of 5 Mar 2025
                        older records 1
        UN initiatives  Global Compact
                          (global-compact),
                          Race to Zero
                          (race-to-zero)
                        as of 11 Feb 2025
                        page
                          https://un.example/n
                          ordwind
        Climate Pledge  ✓ signed
                          since 18 Feb 2020
                          page
                            https://pledge.exa
                            mple/nordwind

      Matched organization
        Name            Nordwind Logistik
                          Group · id 88
        Other names     Nordwind Spedition ·
                        Northwind Logistics
        Websites        nordwind-logistik.exam
                        ple · nordwind.example
        Headquarters    Germany (DE)
                        subregion HH
        Industry        Freight forwarding
                        id 5229
        Tickers         XETR: NWL · XSWX: NWLZ
        Link            https://data.example/o
                        rganizations/88

      Sources
        1   https://www.nordwind-logistik.ex
              ample/sustainability-2023.pdf
            mirror https://mirror.example/a1
        2   https://www.nordwind-logistik.exam
            ple/annual-report-2022.pdf
      "
    `);
  });

  it('shows a full record at 80 columns', () => {
    expect(onTerminal(full, 80)).toMatchInlineSnapshot(`
      "Nordwind Logistik AG
      ● synced · research complete

        Id              104211
        Headquarters    Germany (DE) · subregion HH
        Industry        Freight transport and logistics · id isic-5229
                        confidence medium
        Website         https://www.nordwind-logistik.example
        External id     HRB 123456

      Score  0 is worst, 100 is best
        Score           63.4  █████████████████████████▍··············
        Industry mean   51.4  ████████████████████▌···················
        Percentile      81st percentile of its industry
        Industry rank   high (rank of the industry among all industries)
        Region rank     very low

      Emissions  Germany (DE) · no unit is documented
        Year  Scope 1   Scope 2     Scope 3       Total
        ────  ────────  ────────  ──────────  ──────────
        2023   12,400     8,310   1,204,000   1,224,710   ██████████████████████▏
        2022   13,120     8,904*  1,309,500†  1,331,524†  ████████████████████████
        2021   14,005         –           –           –
        * market-based · † sum of the disclosed parts, no total disclosed

        2023 in detail
        Scope 1         12,400 · sum of parts 12,013 · stationary combustion 2,151
                        mobile combustion 9,800 · fugitive emissions 62.3
                        process emissions 0
        Scope 2         8,310 · market-based 8,310 · location-based 9,455
                        sum of parts 8,310 · purchased electricity 7,020
                        purchased steam 0 · purchased heat 1,104
                        purchased cooling 186
        Scope 1 and 2   20,710 · market-based 20,710 · location-based 21,855
        Scope 3         1,204,000 · sum of parts 1,203,900
        Total           1,224,710 · sum of parts 1,224,223

        2023 scope 3 by category  9 of 15 disclosed
         4 Upstream transportation and distribution    812,000  ██████████████████████
         1 Purchased goods and services                291,000  ███████▉
         9 Downstream transportation and distribution   64,200  █▊
         2 Capital goods                                18,400  ▌
         7 Employee commuting                            5,840  ▏
           and 4 smaller

      Revenue and emission factors  in EUR
        Year  Revenue    Factor  Scope 1+2  Upstream
        ────  ───────  ────────  ─────────  ────────
        2023   €1.24B  0.000985  0.0000167  0.000781
        2022   €1.18B   0.00113          –  0.000902

      Reporting and commitments
        Environment     report found
        CDP             ✓ listed · as of 3 Mar 2025
                          page https://cdp.example/nordwind
        SBTi near term  ✓ has a target · status committed
        SBTi long term  ✓ has a target · target 1.5 · year 2045
        SBTi net zero   ✓ has a target · year 2050
        SBTi 1.5 °C     ✓ Business Ambition for 1.5 °C · joined 15 Mar 2021
        SBTi detail     Nordwind commits to reduce absolute scope 1 and 2 emissions
                        42% by 2030 from a 2020 base year.
        SBTi record     created 20 Nov 2024 · retrieved 4 Mar 2025 · as of 5 Mar 2025
                        older records 1
        UN initiatives  Global Compact (global-compact), Race to Zero (race-to-zero)
                        as of 11 Feb 2025 · page https://un.example/nordwind
        Climate Pledge  ✓ signed · since 18 Feb 2020
                          page https://pledge.example/nordwind

      Matched organization
        Name            Nordwind Logistik Group · id 88
        Other names     Nordwind Spedition · Northwind Logistics
        Websites        nordwind-logistik.example · nordwind.example
        Headquarters    Germany (DE) · subregion HH
        Industry        Freight forwarding · id 5229
        Tickers         XETR: NWL · XSWX: NWLZ
        Link            https://data.example/organizations/88

      Sources
        1   https://www.nordwind-logistik.example/sustainability-2023.pdf
            mirror https://mirror.example/a1
        2   https://www.nordwind-logistik.example/annual-report-2022.pdf
      "
    `);
  });

  it('shows a full record at 120 columns with lines of at most 100', () => {
    expect(onTerminal(full, 120)).toMatchInlineSnapshot(`
      "Nordwind Logistik AG
      ● synced · research complete

        Id              104211
        Headquarters    Germany (DE) · subregion HH
        Industry        Freight transport and logistics · id isic-5229 · confidence medium
        Website         https://www.nordwind-logistik.example
        External id     HRB 123456

      Score  0 is worst, 100 is best
        Score           63.4  █████████████████████████▍··············
        Industry mean   51.4  ████████████████████▌···················
        Percentile      81st percentile of its industry
        Industry rank   high (rank of the industry among all industries)
        Region rank     very low

      Emissions  Germany (DE) · no unit is documented
        Year  Scope 1   Scope 2     Scope 3       Total
        ────  ────────  ────────  ──────────  ──────────
        2023   12,400     8,310   1,204,000   1,224,710   ██████████████████████▏
        2022   13,120     8,904*  1,309,500†  1,331,524†  ████████████████████████
        2021   14,005         –           –           –
        * market-based · † sum of the disclosed parts, no total disclosed

        2023 in detail
        Scope 1         12,400 · sum of parts 12,013 · stationary combustion 2,151
                        mobile combustion 9,800 · fugitive emissions 62.3 · process emissions 0
        Scope 2         8,310 · market-based 8,310 · location-based 9,455 · sum of parts 8,310
                        purchased electricity 7,020 · purchased steam 0 · purchased heat 1,104
                        purchased cooling 186
        Scope 1 and 2   20,710 · market-based 20,710 · location-based 21,855
        Scope 3         1,204,000 · sum of parts 1,203,900
        Total           1,224,710 · sum of parts 1,224,223

        2023 scope 3 by category  9 of 15 disclosed
         4 Upstream transportation and distribution    812,000  ████████████████████████
         1 Purchased goods and services                291,000  ████████▋
         9 Downstream transportation and distribution   64,200  █▉
         2 Capital goods                                18,400  ▌
         7 Employee commuting                            5,840  ▏
           and 4 smaller

      Revenue and emission factors  in EUR
        Year  Revenue    Factor  Scope 1+2  Upstream
        ────  ───────  ────────  ─────────  ────────
        2023   €1.24B  0.000985  0.0000167  0.000781
        2022   €1.18B   0.00113          –  0.000902

      Reporting and commitments
        Environment     report found
        CDP             ✓ listed · as of 3 Mar 2025 · page https://cdp.example/nordwind
        SBTi near term  ✓ has a target · status committed
        SBTi long term  ✓ has a target · target 1.5 · year 2045
        SBTi net zero   ✓ has a target · year 2050
        SBTi 1.5 °C     ✓ Business Ambition for 1.5 °C · joined 15 Mar 2021
        SBTi detail     Nordwind commits to reduce absolute scope 1 and 2 emissions 42% by 2030 from a
                        2020 base year.
        SBTi record     created 20 Nov 2024 · retrieved 4 Mar 2025 · as of 5 Mar 2025 · older records 1
        UN initiatives  Global Compact (global-compact), Race to Zero (race-to-zero) · as of 11 Feb 2025
                        page https://un.example/nordwind
        Climate Pledge  ✓ signed · since 18 Feb 2020 · page https://pledge.example/nordwind

      Matched organization
        Name            Nordwind Logistik Group · id 88
        Other names     Nordwind Spedition · Northwind Logistics
        Websites        nordwind-logistik.example · nordwind.example
        Headquarters    Germany (DE) · subregion HH
        Industry        Freight forwarding · id 5229
        Tickers         XETR: NWL · XSWX: NWLZ
        Link            https://data.example/organizations/88

      Sources
        1   https://www.nordwind-logistik.example/sustainability-2023.pdf
            mirror https://mirror.example/a1
        2   https://www.nordwind-logistik.example/annual-report-2022.pdf
      "
    `);
    expect(onTerminal(full, 200)).toBe(onTerminal(full, 120));
  });

  it('shows a full record in a pipe', () => {
    expect(inPipe(full)).toMatchInlineSnapshot(`
      "name: Nordwind Logistik AG
      status: synced
      research: complete
      id: 104211
      headquarters: Germany (DE), subregion HH
      industry: Freight transport and logistics, id isic-5229, confidence medium
      website: https://www.nordwind-logistik.example
      external id: HRB 123456
      score: 63.4
      industry mean: 51.4
      percentile: 81
      industry rank: high
      region rank: very low
      emissions 2023 scope 1: 12400, sum of parts 12012.75, stationary combustion 2150.5, mobile combustion 9800, fugitive emissions 62.25, process emissions 0
      emissions 2023 scope 2: 8310, market-based 8310, location-based 9455, sum of parts 8310, purchased electricity 7020, purchased steam 0, purchased heat 1104, purchased cooling 186
      emissions 2023 scope 1 and 2: 20710, market-based 20710, location-based 21855
      emissions 2023 scope 3: 1204000, sum of parts 1203900, purchased goods and services 291000, capital goods 18400, fuel- and energy-related activities 3900, upstream transportation and distribution 812000, waste generated in operations 410, business travel 2350, employee commuting 5840, downstream transportation and distribution 64200, investments 5800
      emissions 2023 total: 1224710, sum of parts 1224222.75
      emissions 2022 scope 1: 13120, sum of parts 13120
      emissions 2022 scope 2: not disclosed, market-based 8904.25
      emissions 2022 scope 3: not disclosed, sum of parts 1309500
      emissions 2022 total: not disclosed, sum of parts 1331524.25
      emissions 2021 scope 1: 14005
      performance 2023 region: Germany (DE)
      performance 2023 revenue: 1242700000, currency EUR
      performance 2023 emission factor: 0.000985
      performance 2023 scope 1 and 2 emission factor: 0.0000167
      performance 2023 total upstream emission factor: 0.000781
      performance 2022 region: Germany (DE)
      performance 2022 revenue: 1180400000, currency EUR
      performance 2022 emission factor: 0.001128
      performance 2022 total upstream emission factor: 0.000902
      performance 2021 region: Germany (DE)
      performance 2021 revenue: no data, currency EUR
      environment: report found
      CDP: listed, as of 3 Mar 2025, page https://cdp.example/nordwind
      SBTi near term: has a target, status committed
      SBTi long term: has a target, target 1.5, year 2045
      SBTi net zero: has a target, year 2050
      SBTi 1.5 C: Business Ambition for 1.5 °C, joined 15 Mar 2021
      SBTi detail: Nordwind commits to reduce absolute scope 1 and 2 emissions 42% by 2030 from a 2020 base year.
      SBTi record: created 20 Nov 2024, retrieved 4 Mar 2025, as of 5 Mar 2025, older records 1
      UN initiatives: Global Compact (global-compact), Race to Zero (race-to-zero), as of 11 Feb 2025, page https://un.example/nordwind
      Climate Pledge: signed, since 18 Feb 2020, page https://pledge.example/nordwind
      matched name: Nordwind Logistik Group, id 88
      matched other names: Nordwind Spedition · Northwind Logistics
      matched websites: nordwind-logistik.example · nordwind.example
      matched headquarters: Germany (DE), subregion HH
      matched industry: Freight forwarding, id 5229
      matched tickers: XETR: NWL · XSWX: NWLZ
      matched link: https://data.example/organizations/88
      source 1: https://www.nordwind-logistik.example/sustainability-2023.pdf, mirror https://mirror.example/a1
      source 2: https://www.nordwind-logistik.example/annual-report-2022.pdf
      no data: emissions 2021 scope 2, emissions 2021 scope 3, emissions 2021 total, performance 2022 scope 1 and 2 emission factor, performance 2021 emission factor, performance 2021 scope 1 and 2 emission factor, performance 2021 total upstream emission factor
      "
    `);
  });

  it('lists missing data of a sparse record', () => {
    expect(onTerminal(sparse, 40)).toMatchInlineSnapshot(`
    "Bäckerei Öztürk & Söhne GbR
    ● synced · research complete

      Id              7
      Headquarters    Austria (AT)
      Industry        Bakeries

    Score  0 is worst, 100 is best
      Score           28.0  ████▌···········

    Reporting and commitments
      CDP             ✗ not listed
                        as of 3 Mar 2025

      No data         website · external id
                      industry mean
                      percentile
                      industry rank
                      region rank
                      emissions
                      revenue and emission
                        factors
                      environment · SBTi
                      UN initiatives
                      Climate Pledge
                      matched organization
                      sources
    "
  `);
    expect(onTerminal(sparse, 80)).toMatchInlineSnapshot(`
    "Bäckerei Öztürk & Söhne GbR
    ● synced · research complete

      Id              7
      Headquarters    Austria (AT)
      Industry        Bakeries

    Score  0 is worst, 100 is best
      Score           28.0  ███████████▎····························

    Reporting and commitments
      CDP             ✗ not listed · as of 3 Mar 2025

      No data         website · external id · industry mean · percentile
                      industry rank · region rank · emissions
                      revenue and emission factors · environment · SBTi
                      UN initiatives · Climate Pledge · matched organization
                      sources
    "
  `);
    expect(onTerminal(sparse, 120)).toMatchInlineSnapshot(`
    "Bäckerei Öztürk & Söhne GbR
    ● synced · research complete

      Id              7
      Headquarters    Austria (AT)
      Industry        Bakeries

    Score  0 is worst, 100 is best
      Score           28.0  ███████████▎····························

    Reporting and commitments
      CDP             ✗ not listed · as of 3 Mar 2025

      No data         website · external id · industry mean · percentile · industry rank · region rank
                      emissions · revenue and emission factors · environment · SBTi · UN initiatives
                      Climate Pledge · matched organization · sources
    "
  `);
    expect(inPipe(sparse)).toMatchInlineSnapshot(`
      "name: Bäckerei Öztürk & Söhne GbR
      status: synced
      research: complete
      id: 7
      headquarters: Austria (AT)
      industry: Bakeries
      score: 28
      CDP: not listed, as of 3 Mar 2025
      no data: website, external id, industry mean, percentile, industry rank, region rank, emissions, revenue and emission factors, environment, SBTi, UN initiatives, Climate Pledge, matched organization, sources
      "
    `);
  });

  it('states that research is in progress', () => {
    expect(onTerminal(researching, 40)).toMatchInlineSnapshot(`
    "Halcyon Paper plc
    ◐ researching
    research in progress, figures may be
      missing

      Id              104212
      Headquarters    United Kingdom (GB)

      No data         industry · website
                      external id · score
                      emissions
                      revenue and emission
                        factors
                      reporting and
                        commitments
                      matched organization
                      sources
    "
  `);
    expect(onTerminal(researching, 80)).toMatchInlineSnapshot(`
    "Halcyon Paper plc
    ◐ researching · research in progress, figures may be missing

      Id              104212
      Headquarters    United Kingdom (GB)

      No data         industry · website · external id · score · emissions
                      revenue and emission factors · reporting and commitments
                      matched organization · sources
    "
  `);
    expect(onTerminal(researching, 120)).toMatchInlineSnapshot(`
    "Halcyon Paper plc
    ◐ researching · research in progress, figures may be missing

      Id              104212
      Headquarters    United Kingdom (GB)

      No data         industry · website · external id · score · emissions
                      revenue and emission factors · reporting and commitments · matched organization
                      sources
    "
  `);
    expect(inPipe(researching)).toMatchInlineSnapshot(`
    "name: Halcyon Paper plc
    status: researching
    research: in progress, figures may be missing
    id: 104212
    headquarters: United Kingdom (GB)
    no data: industry, website, external id, score, emissions, revenue and emission factors, reporting and commitments, matched organization, sources
    "
  `);
  });

  it('states that research failed', () => {
    expect(onTerminal(errored, 40)).toMatchInlineSnapshot(`
    "Société Générale des Ciments du Sahel
    ✗ errored
    research failed, figures may be missing

      Id              104213
      Headquarters    Senegal (SN)
      Industry        Cement · id 2394

    Emissions  no unit is documented
      2020            Scope 1 – · Scope 2 –
                      Scope 1+2 512,000‡
                      Scope 3 –
                      Total 512,000†
      ‡ location-based · † sum of the
      disclosed parts, no total disclosed

      2020 in detail
      Scope 1 and 2   not disclosed
                      location-based 512,000
      Total           not disclosed
                      sum of parts 512,000

      No data         website · external id
                      score
                      revenue and emission
                        factors
                      reporting and
                        commitments
                      matched organization
                      sources
    "
  `);
    expect(onTerminal(errored, 80)).toMatchInlineSnapshot(`
    "Société Générale des Ciments du Sahel
    ✗ errored · research failed, figures may be missing

      Id              104213
      Headquarters    Senegal (SN)
      Industry        Cement · id 2394

    Emissions  no unit is documented
      Year  Scope 1   Scope 2   Scope 1+2   Scope 3     Total
      ────  ────────  ────────  ──────────  ────────  ────────
      2020        –         –     512,000‡        –   512,000†
      ‡ location-based · † sum of the disclosed parts, no total disclosed

      2020 in detail
      Scope 1 and 2   not disclosed · location-based 512,000
      Total           not disclosed · sum of parts 512,000

      No data         website · external id · score · revenue and emission factors
                      reporting and commitments · matched organization · sources
    "
  `);
    expect(onTerminal(errored, 120)).toBe(onTerminal(errored, 80));
    expect(inPipe(errored)).toMatchInlineSnapshot(`
      "name: Société Générale des Ciments du Sahel
      status: errored
      research: failed, figures may be missing
      id: 104213
      headquarters: Senegal (SN)
      industry: Cement, id 2394
      emissions 2020 scope 1 and 2: not disclosed, location-based 512000
      emissions 2020 total: not disclosed, sum of parts 512000
      no data: website, external id, score, emissions 2020 scope 1, emissions 2020 scope 2, emissions 2020 scope 3, revenue and emission factors, reporting and commitments, matched organization, sources
      "
    `);
  });

  it('shows an empty record', () => {
    expect(onTerminal({}, 40)).toMatchInlineSnapshot(`
    "no name
    ◐ no status
    research in progress, figures may be
      missing

      No data         name · id
                      headquarters
                      industry · website
                      external id · score
                      emissions
                      revenue and emission
                        factors
                      reporting and
                        commitments
                      matched organization
                      sources
    "
  `);
    expect(onTerminal({}, 80)).toMatchInlineSnapshot(`
    "no name
    ◐ no status · research in progress, figures may be missing

      No data         name · id · headquarters · industry · website · external id
                      score · emissions · revenue and emission factors
                      reporting and commitments · matched organization · sources
    "
  `);
    expect(onTerminal({}, 120)).toMatchInlineSnapshot(`
    "no name
    ◐ no status · research in progress, figures may be missing

      No data         name · id · headquarters · industry · website · external id · score · emissions
                      revenue and emission factors · reporting and commitments · matched organization
                      sources
    "
  `);
    expect(inPipe({})).toMatchInlineSnapshot(`
    "status: no status
    research: in progress, figures may be missing
    no data: name, id, headquarters, industry, website, external id, score, emissions, revenue and emission factors, reporting and commitments, matched organization, sources
    "
  `);
  });

  it('treats null as an absent field', () => {
    const nulls: Organization = {
      ...{
        id: null,
        name: null,
        hq_region: null,
        industry: null,
        status: null,
        score: null,
        cdp: null,
        un: null,
      },
      ...{
        performances: null,
        sources: null,
        sbti: null,
        climate_pledge: null,
        matching_organization: null,
      },
    };
    expect(onTerminal(nulls, 80)).toBe(onTerminal({}, 80));
    expect(inPipe(nulls)).toBe(inPipe({}));
  });

  it('states that sandbox data is synthetic', () => {
    for (const terminal of [true, false]) {
      const view = { style: plainStyle, columns: 80, terminal, synthetic: true };
      expect(renderOrganization(full, view)).toMatch(/synthetic sandbox data, not real research/i);
    }
  });

  it('adds color', async () => {
    const view = { style: await loadStyle(1), columns: 60, terminal: true, synthetic: true };
    const record = { ...sparse, status: 'errored' };
    expect(renderOrganization(record, view).replaceAll('\u001b', '~')).toMatchInlineSnapshot(`
      "~[1mBäckerei Öztürk & Söhne GbR~[22m
      ~[31m✗ errored · research failed, figures may be missing~[39m
      ~[33mSynthetic sandbox data, not real research~[39m

        ~[2mId              ~[22m7
        ~[2mHeadquarters    ~[22mAustria (AT)
        ~[2mIndustry        ~[22mBakeries

      ~[1mScore~[22m  ~[2m0 is worst, 100 is best~[22m
        ~[2mScore           ~[22m28.0  ~[31m██████████▏~[39m~[2m·························~[22m

      ~[1mReporting and commitments~[22m
        ~[2mCDP             ~[22m~[2m✗ ~[22mnot listed · as of 3 Mar 2025

        ~[2mNo data         ~[22m~[2mwebsite · external id · industry mean~[22m
        ~[2m                ~[22m~[2mpercentile · industry rank · region rank~[22m
        ~[2m                ~[22m~[2memissions · revenue and emission factors~[22m
        ~[2m                ~[22m~[2menvironment · SBTi · UN initiatives~[22m
        ~[2m                ~[22m~[2mClimate Pledge · matched organization~[22m
        ~[2m                ~[22m~[2msources~[22m
      "
    `);
  });

  it('labels years with their region when regions differ', () => {
    const record: Organization = {
      performances: [
        { year: 2023, region: 'DE', revenue: 5, emissions: { total: 10 } },
        { year: 2023, region: 'FR', emissions: { total: 20 } },
        { emissions: { total: 30 } },
      ],
    };
    expect(onTerminal(record, 80)).toMatchInlineSnapshot(`
    "no name
    ◐ no status · research in progress, figures may be missing

    Emissions  no unit is documented
      Year               Scope 1  Scope 2  Scope 3  Total
      ─────────────────  ───────  ───────  ───────  ─────
      2023 Germany (DE)        –        –        –     10  ████████
      2023 France (FR)         –        –        –     20  ████████████████
      no year                  –        –        –     30  ████████████████████████

      2023 Germany (DE) in detail
      Total           10

    Revenue and emission factors  the record names no currency
      Year               Revenue  Factor  Scope 1+2  Upstream
      ─────────────────  ───────  ──────  ─────────  ────────
      2023 Germany (DE)        5       –          –         –

      No data         name · id · headquarters · industry · website · external id
                      score · reporting and commitments · matched organization
                      sources
    "
  `);
    expect(inPipe(record)).toContain('emissions 2023 France (FR) total: 20\n');
  });

  it('shows values that are out of range as sent', () => {
    const text = onTerminal(
      { score: 63, industry_score_percentile: 180, industry: { mean_score: -1 } },
      80,
    );
    expect(text).toMatchInlineSnapshot(`
    "no name
    ◐ no status · research in progress, figures may be missing

    Score  0 is worst, 100 is best
      Score           63 (not from 0 to 1, shown as sent)
      Industry mean   -1 (not from 0 to 1, shown as sent)
      Percentile      180 (not from 0 to 100, shown as sent)

      No data         name · id · headquarters · industry · website · external id
                      industry rank · region rank · emissions
                      revenue and emission factors · reporting and commitments
                      matched organization · sources
    "
  `);
  });

  it('assumes no currency', () => {
    const revenue = (currency: string | null) =>
      onTerminal({ performances: [{ year: 2023, revenue: 1e9, revenue_currency: currency }] }, 80);
    expect(revenue(null)).toMatch(/ 1\.00B /);
    expect(revenue(null)).toContain('the record names no currency');
    expect(revenue(null)).not.toMatch(/[$€]|USD/);
    expect(revenue('GBP')).toContain('£1.00B');
  });

  it('limits sources on a terminal only', () => {
    const record = {
      sources: Array.from({ length: 9 }, (_, index) => ({ url: `https://a.example/${index}` })),
    };
    expect(onTerminal(record, 80)).toContain('and 3 more');
    expect(inPipe(record)).toContain('source 9: https://a.example/8');
  });

  it('omits the table of years without revenue and factors', () => {
    const record = { performances: [{ year: 2024, region: 'DE', emissions: { total: 5 } }] };
    const shown = onTerminal(record, 80);
    expect(shown).toContain('Revenue and emission factors\n  not disclosed\n');
  });
});
