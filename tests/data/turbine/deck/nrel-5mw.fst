------- OpenFAST INPUT FILE -------------------------------------------
NREL 5 MW, land; written for the tests of the deck reader around the published module files
"NRELOffshrBsline5MW_Onshore_ElastoDyn.dat"    EDFile          - Name of file containing ElastoDyn input parameters
"AeroDyn.dat"    AeroFile        - Name of file containing aerodynamic input parameters
"NRELOffshrBsline5MW_Onshore_ServoDyn.dat"    ServoFile       - Name of file containing control input parameters
