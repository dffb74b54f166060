package example

// validAd is a set of two ads for an invented company.
const validAd = `Ad group structure:
Campaign: Search_US_Invoicing
AG1_agency-invoicing_phrase > RSA1 > https://ledgerloop.example/agencies
- "agency invoicing software"
- [invoicing software for agencies]
- "invoice tool for agencies"
- "billing software agency"
- agency billing
AG2_chase-payments_exact > RSA2 > https://ledgerloop.example/chasing
- [chase late payments]
- [invoice reminder software]
- "chase unpaid invoices"
- [late payment reminders]
- "payment chasing software"

Negative keywords:
campaign | phrase | free template | no budget
campaign | phrase | jobs | job seekers
campaign | exact | invoice | too broad
campaign | phrase | personal loan | wrong market
campaign | broad | excel | wants a spreadsheet
campaign | phrase | definition | students
AG1_agency-invoicing_phrase | exact | chase late payments | belongs to AG2
AG2_chase-payments_exact | phrase | agency invoicing | belongs to AG1

Sitelinks:
See pricing (11) | Per seat, no setup fee (22) | Cancel any month (16) | https://ledgerloop.example/pricing
How chasing works (17) | Polite reminders on a schedule (30) | You approve each sequence (25) | https://ledgerloop.example/chasing
Connect QuickBooks (18) | Invoices sync both ways (23) | Set up without a developer (26) | https://ledgerloop.example/quickbooks
Start a trial (13) | 14 days, no card (16) | Keep your data either way (25) | https://ledgerloop.example/trial

Callouts:
14-day free trial (17)
No card needed (14)
Syncs with Xero (15)
Per-seat pricing (16)

RSA1
Ad group: AG1_agency-invoicing_phrase
URL: https://ledgerloop.example/agencies
Paths: agencies (8) | invoicing (9)
Pins: none
Descriptions:
D1 Invoice, remind and reconcile in one place. Start a 14-day trial, no card needed. (81)
D2 Median time to payment fell from 41 to 29 days across 112 customers. See how. (77)
D3 Built for agencies of 20 to 200 people. Per-seat plans from $29. Compare plans. (79)
D4 Connects to QuickBooks Online and Xero, both ways. Connect yours in the trial. (78)
Headlines:
H1 Agency Invoicing Software (25)
H2 Invoicing Built for Agencies (28)
H3 Get Paid in 29 Days, Not 41 (27)
H4 Bill Retainers in Minutes (25)
H5 Stop Chasing by Hand (20)
H6 Median 29 Days to Payment (25)
H7 112 Agencies Measured (21)
H8 From $29 a Seat a Month (23)
H9 14-Day Trial, No Card (21)
H10 Start Your Free Trial (21)
H11 See It With Your Invoices (25)
H12 Works With QuickBooks Online (28)
H13 Approvals for Every Invoice (27)
H14 Ledgerloop Invoicing (20)
H15 Agency Billing Made Plain (25)
Check H15/15 max28 · D4/4 max81 · NEG 8 · SL4 CO4 · labels 2 · dup 0 · unproven claims 0

RSA2
Ad group: AG2_chase-payments_exact
URL: https://ledgerloop.example/chasing
Paths: chasing (7)
Pins: none
Descriptions:
D1 Polite reminders go out on your schedule until the invoice is paid. Try it free. (80)
D2 See every overdue invoice and the next reminder on one page. Take the tour. (75)
D3 Median time to payment fell by 12 days across 112 customers. Read the method. (77)
D4 Plans from $29 a seat a month, cancel any month. Start a 14-day trial today. (76)
Headlines:
H1 Chase Late Payments Politely (28)
H2 Invoice Reminder Software (25)
H3 Reminders That Send Themselves (30)
H4 Paid 12 Days Sooner (19)
H5 Know Who Pays Late (18)
H6 Fewer Awkward Emails (20)
H7 Median 29 Days to Payment (25)
H8 Measured Across 112 Customers (29)
H9 From $29 a Seat a Month (23)
H10 14-Day Trial, No Card (21)
H11 Start Chasing Today (19)
H12 Try It on One Invoice (21)
H13 Made for Service Firms (22)
H14 Ledgerloop Reminders (20)
H15 {KeyWord:Payment Reminders} (17)
Check H15/15 max30 · D4/4 max80 · NEG 8 · SL4 CO4 · labels 2 · dup 0 · unproven claims 0

Rationale:
Two intents, two pages.

Test one change at a time.
`
